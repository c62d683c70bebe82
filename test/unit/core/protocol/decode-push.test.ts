import assert from "node:assert/strict";
import {
  decodeCreatePushConfigParams,
  decodeListPushConfigsParams,
  decodePushConfigIdParams,
} from "../../../../src/core/protocol/decode-push.ts";
import { refusal } from "../../../support/refusal.ts";

const URL = "https://hooks.example.com/a2a";

function refusedField(run: () => unknown): string | undefined {
  return refusal("INVALID_PARAMS", run).violations[0]?.field;
}

describe("decoding the params of push configs", () => {
  it("reads a whole config, and neither null nor what it does not know", () => {
    const config = {
      ...{ taskId: "t", id: "c", url: URL, token: "opaque", tenant: "x" },
      authentication: { scheme: "Bearer", credentials: "a b" },
    };
    assert.deepEqual(decodeCreatePushConfigParams({ ...config, kind: "x", createdAt: 1 }), config);
    assert.deepEqual(decodeCreatePushConfigParams({ taskId: "t", url: URL, id: null, token: "", tenant: null }), {
      taskId: "t",
      url: URL,
    });
    assert.deepEqual(decodeCreatePushConfigParams({ taskId: "t", url: URL, authentication: { scheme: "None" } }), {
      ...{ taskId: "t", url: URL, authentication: { scheme: "None" } },
    });
  });

  it("reads snake_case", () => {
    assert.deepEqual(decodeCreatePushConfigParams({ task_id: "t", url: URL }), { taskId: "t", url: URL });
    assert.deepEqual(decodePushConfigIdParams({ task_id: "t", id: "c" }), { taskId: "t", id: "c" });
    assert.deepEqual(decodeListPushConfigsParams({ task_id: "t", page_size: "3", page_token: "p" }), {
      ...{ taskId: "t", pageSize: 3, pageToken: "p" },
    });
  });

  it("takes no page size for a page size of 0", () => {
    assert.deepEqual(decodeListPushConfigsParams({ taskId: "t", pageSize: 0, pageToken: "" }), { taskId: "t" });
  });

  it("takes every text as an id", () => {
    for (const id of ["__proto__", "\ud800", "a\u0000b", " ", "x".repeat(1024)]) {
      assert.equal(decodePushConfigIdParams({ taskId: "t", id }).id, id);
    }
  });

  it("names the field that is wrong", () => {
    const base = { taskId: "t", url: URL };
    const auth = (authentication: unknown): object => ({ ...base, authentication });
    const cases: [decode: (params: unknown) => unknown, params: unknown, field: string][] = [
      [decodeCreatePushConfigParams, undefined, "params"],
      [decodeCreatePushConfigParams, [], "params"],
      [decodeCreatePushConfigParams, { url: URL }, "taskId"],
      [decodeCreatePushConfigParams, { ...base, taskId: "" }, "taskId"],
      [decodeCreatePushConfigParams, { ...base, taskId: 1 }, "taskId"],
      [decodeCreatePushConfigParams, { ...base, url: null }, "url"],
      [decodeCreatePushConfigParams, { ...base, url: "" }, "url"],
      [decodeCreatePushConfigParams, { ...base, url: {} }, "url"],
      [decodeCreatePushConfigParams, { ...base, url: `https://a/${"x".repeat(8192)}` }, "url"],
      [decodeCreatePushConfigParams, { ...base, id: 7 }, "id"],
      [decodeCreatePushConfigParams, { ...base, id: "x".repeat(1025) }, "id"],
      [decodeCreatePushConfigParams, { ...base, token: true }, "token"],
      [decodeCreatePushConfigParams, { ...base, tenant: [] }, "tenant"],
      [decodeCreatePushConfigParams, auth([]), "authentication"],
      [decodeCreatePushConfigParams, auth({}), "authentication.scheme"],
      [decodeCreatePushConfigParams, auth({ scheme: "" }), "authentication.scheme"],
      [decodeCreatePushConfigParams, auth({ scheme: "a", credentials: 1 }), "authentication.credentials"],
      [decodePushConfigIdParams, { id: "c" }, "taskId"],
      [decodePushConfigIdParams, { taskId: "t" }, "id"],
      [decodePushConfigIdParams, { taskId: "t", id: "" }, "id"],
      [decodeListPushConfigsParams, {}, "taskId"],
      [decodeListPushConfigsParams, { taskId: "t", pageSize: -1 }, "pageSize"],
      [decodeListPushConfigsParams, { taskId: "t", pageSize: 1.5 }, "pageSize"],
      [decodeListPushConfigsParams, { taskId: "t", pageSize: 2 ** 31 }, "pageSize"],
      [decodeListPushConfigsParams, { taskId: "t", pageToken: 1 }, "pageToken"],
    ];
    for (const [decode, params, field] of cases) {
      assert.equal(
        refusedField(() => decode(params)),
        field,
        JSON.stringify(params),
      );
    }
  });

  it("refuses what would break out of a header, or not fit into one", () => {
    for (const text of ["a\r\nX-Evil: 1", "a\nb", "a\u0000", "é", "\u{1F511}", " a", "a ", "\t"]) {
      assert.equal(
        refusedField(() => decodeCreatePushConfigParams({ taskId: "t", url: URL, token: text })),
        "token",
        JSON.stringify(text),
      );
      const authentication = { scheme: "Bearer", credentials: text };
      assert.equal(
        refusedField(() => decodeCreatePushConfigParams({ taskId: "t", url: URL, authentication })),
        "authentication.credentials",
      );
    }
    for (const scheme of ["Bearer x", "a:b", "é", "a\r\n"]) {
      assert.equal(
        refusedField(() => decodeCreatePushConfigParams({ taskId: "t", url: URL, authentication: { scheme } })),
        "authentication.scheme",
      );
    }
  });
});
