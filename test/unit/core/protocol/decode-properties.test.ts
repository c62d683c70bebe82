// What holds for every decoder, whatever arrives.

import assert from "node:assert/strict";
import fc from "fast-check";
import { isA2aError } from "../../../../src/core/platform/errors.ts";
import { decodeCard } from "../../../../src/core/protocol/decode-card.ts";
import { decodeListTasksParams } from "../../../../src/core/protocol/decode-list-params.ts";
import { decodeArtifact, decodeMessage, decodePart } from "../../../../src/core/protocol/decode-message.ts";
import {
  decodeCancelTaskParams,
  decodeGetTaskParams,
  decodeSendMessageParams,
  decodeTaskIdParams,
  decodeTenantParams,
} from "../../../../src/core/protocol/decode-params.ts";
import {
  decodeCreatePushConfigParams,
  decodeListPushConfigsParams,
  decodePushConfigIdParams,
} from "../../../../src/core/protocol/decode-push.ts";
import { PEER_RULES } from "../../../../src/core/protocol/decode-rules.ts";
import { decodeSendResult, decodeStreamResponse, decodeTask } from "../../../../src/core/protocol/decode-task.ts";
import {
  encodeArtifact,
  encodeCard,
  encodeMessage,
  encodeStreamResponse,
  encodeTask,
} from "../../../../src/core/protocol/encode.ts";
import { reachableUrl } from "../../../../src/core/protocol/interface-url.ts";
import { decodePageToken, encodePageToken } from "../../../../src/core/protocol/page-token.ts";
import { instantOf, normaliseTimestamp } from "../../../../src/core/protocol/timestamp.ts";
import type { Json } from "../../../../src/core/protocol/types.ts";
import * as some from "../../../support/wire-arbitraries.ts";

type Decode = (value: unknown) => unknown;

const cardAt: Decode = (value) => decodeCard(value, "http://h.example/card.json");

const DECODERS: Record<string, Decode> = {
  decodePart: (value) => decodePart(value, "p"),
  decodeMessage: (value) => decodeMessage(value, "m"),
  decodeArtifact: (value) => decodeArtifact(value, "a"),
  "decodePart of a peer": (value) => decodePart(value, "p", PEER_RULES),
  "decodeMessage of a peer": (value) => decodeMessage(value, "m", PEER_RULES),
  "decodeArtifact of a peer": (value) => decodeArtifact(value, "a", PEER_RULES),
  decodeSendMessageParams,
  decodeTaskIdParams,
  decodeGetTaskParams,
  decodeListTasksParams,
  decodeCreatePushConfigParams,
  decodePushConfigIdParams,
  decodeListPushConfigsParams,
  decodeCancelTaskParams,
  decodeTenantParams,
  decodeTask: (value) => decodeTask(value, "t"),
  decodeSendResult,
  decodeStreamResponse,
  decodeCard: cardAt,
};

/** Values, the way they are written, and the decoder that reads them back. */
const PAIRS: [name: string, value: fc.Arbitrary<unknown>, encode: (value: never) => Json, decode: Decode][] = [
  ["messages", some.message, encodeMessage, (value) => decodeMessage(value, "m")],
  ["messages of peers", some.message, encodeMessage, (value) => decodeMessage(value, "m", PEER_RULES)],
  ["artifacts", some.artifact, encodeArtifact, (value) => decodeArtifact(value, "a")],
  ["tasks", some.task, encodeTask, (value) => decodeTask(value, "t")],
  ["stream frames", some.streamResponse, encodeStreamResponse, decodeStreamResponse],
  ["cards", some.card, encodeCard, cardAt],
  ["send params", some.sendMessageParams, (value: Json) => value, decodeSendMessageParams],
];

describe("every decoder", () => {
  for (const [name, decode] of Object.entries(DECODERS)) {
    it(`gives a value or an A2aError and leaves its input alone: ${name}`, () => {
      fc.assert(
        fc.property(fc.oneof(some.likelyJson, fc.jsonValue(), fc.anything()), (value) => {
          some.deepFreeze(value);
          try {
            JSON.stringify(decode(value));
          } catch (error) {
            assert.ok(isA2aError(error), String(error));
            assert.ok(error.message.length < 2000);
          }
        }),
        { numRuns: 100 },
      );
    });
  }

  for (const [name, arbitrary, encode, decode] of PAIRS) {
    const wires = arbitrary.map((value) => ({
      value,
      wire: JSON.parse(JSON.stringify(encode(value as never))) as Json,
    }));

    it(`reads back what was written: ${name}`, () => {
      fc.assert(
        fc.property(wires, ({ value, wire }) => {
          assert.deepEqual(decode(wire), value);
          assert.deepEqual(JSON.parse(JSON.stringify(encode(decode(wire) as never))), wire);
        }),
      );
    });

    it(`does not mind unknown fields (W21) [client-unknown-fields]: ${name}`, () => {
      fc.assert(fc.property(wires, ({ value, wire }) => assert.deepEqual(decode(some.withUnknownFields(wire)), value)));
    });

    it(`reads snake_case: ${name}`, () => {
      fc.assert(fc.property(wires, ({ value, wire }) => assert.deepEqual(decode(some.inSnakeCase(wire)), value)));
    });
  }
});

describe("every reader of text", () => {
  const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.webUrl(), fc.date().map(String));

  it("brings timestamps into one form, which stays as it is, and gives nothing for other text", () => {
    const nearTimestamp = fc
      .tuple(
        fc.stringMatching(/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d$/),
        fc.constantFrom("", "Z", ".1Z", ".9999999+14:00", "-99:99"),
      )
      .map(([time, rest]) => time + rest);
    fc.assert(
      fc.property(fc.oneof(nearTimestamp, anyText), (text) => {
        const iso = normaliseTimestamp(text);
        assert.equal(iso === undefined, instantOf(text) === undefined);
        if (iso === undefined) return;
        assert.match(iso, /Z$/);
        assert.equal(normaliseTimestamp(iso), iso);
      }),
    );
  });

  it("puts interface urls beside any card, and never throws", () => {
    fc.assert(
      fc.property(anyText, anyText, (url, cardUrl) => assert.equal(typeof reachableUrl(url, cardUrl), "string")),
    );
  });

  it("reads back page tokens, and gives nothing for other text", () => {
    const position = fc.record({ at: fc.integer({ min: 0, max: 4e12 }), id: fc.string({ minLength: 1 }) });
    const whole = position.filter(({ id }) => Buffer.from(id).toString() === id);
    fc.assert(fc.property(whole, (at) => assert.deepEqual({ ...decodePageToken(encodePageToken(at)) }, { ...at })));
    fc.assert(
      fc.property(fc.oneof(fc.base64String(), anyText), (text) => {
        const read = decodePageToken(text);
        assert.ok(read === undefined || encodePageToken(read) === text);
      }),
    );
  });
});
