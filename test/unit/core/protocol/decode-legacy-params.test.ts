import assert from "node:assert/strict";
import fc from "fast-check";
import {
  isV03Message,
  modernListParams,
  modernPushIdParams,
  modernPushParams,
  modernSendParams,
  modernTaskParams,
  withMessageId,
} from "../../../../src/core/protocol/decode-legacy-params.ts";
import { decodeSendMessageParams } from "../../../../src/core/protocol/decode-params.ts";
import { encodeMessage } from "../../../../src/core/protocol/encode.ts";
import { encodeV03Message } from "../../../../src/core/protocol/encode-v03-message.ts";
import { deepFreeze, likelyJson, message } from "../../../support/wire-arbitraries.ts";

const ALL = [modernSendParams, modernTaskParams, modernListParams, modernPushParams, modernPushIdParams];

describe("reading requests of older dialects", () => {
  it("never throws and never changes what it is given", () => {
    fc.assert(
      fc.property(likelyJson, (value) => {
        const params = deepFreeze({ message: value, configuration: value, pushNotificationConfig: value, id: value });
        for (const modern of ALL) for (const input of [value, params]) assert.doesNotThrow(() => modern(input));
        assert.equal(typeof isV03Message(params), "boolean");
        assert.doesNotThrow(() => withMessageId(params, () => "made"));
      }),
    );
  });

  it("reads a message of 0.3 as the same message in 1.0", () => {
    fc.assert(
      fc.property(message, (value) => {
        const user = { ...value, role: "ROLE_USER" as const };
        // 0.3 has no place for the type and the name of text and data, and data are objects.
        const parts = user.parts.map((part) =>
          "text" in part ? { text: `a${part.text}` } : { url: "https://example.com/" },
        );
        const modern = { ...user, parts };
        const read = decodeSendMessageParams(modernSendParams({ message: encodeV03Message(modern) }));
        assert.deepEqual(read, decodeSendMessageParams({ message: encodeMessage(modern) }));
      }),
    );
  });

  it("leaves params of 1.0 what they are", () => {
    fc.assert(
      fc.property(message, (value) => {
        const wire = { message: encodeMessage(value) };
        assert.equal(isV03Message(wire), false);
        assert.deepEqual(JSON.parse(JSON.stringify(modernSendParams(wire))), JSON.parse(JSON.stringify(wire)));
      }),
    );
  });

  it("makes a messageId only where there is none", () => {
    const made = (fields: object): unknown => withMessageId({ message: fields }, () => "made");
    for (const fields of [{}, { messageId: "" }, { messageId: null }]) {
      assert.deepEqual(made(fields), { message: { messageId: "made" } });
    }
    for (const fields of [{ messageId: "a" }, { message_id: "a" }, { messageId: 7 }]) {
      assert.deepEqual(made(fields), { message: fields });
    }
  });

  it("has a webhook without login when no scheme is listed", () => {
    const config = { url: "u", authentication: { schemes: [], credentials: "c" } };
    assert.deepEqual(modernPushParams({ taskId: "t", pushNotificationConfig: config }), {
      ...{ url: "u", authentication: undefined, taskId: "t", tenant: undefined },
    });
  });
});
