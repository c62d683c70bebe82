import assert from "node:assert/strict";
import { A2aError, ERRORS, isA2aError } from "../../../../src/core/platform/errors.ts";
import { encodeRpcError, encodeRpcResult } from "../../../../src/core/protocol/jsonrpc.ts";
import { resultOf } from "../../../../src/inbound/siblings/sibling-reply.ts";

const NO_HEADERS = { headers: new Map<string, string>() };

function errorFrom(text: string, headers = NO_HEADERS): A2aError {
  try {
    resultOf(text, headers);
  } catch (error) {
    if (isA2aError(error)) return error;
    throw error;
  }
  throw new Error("no error");
}

describe("what another session answered", () => {
  it("gives its result, blanks before it or not", () => {
    assert.deepEqual(resultOf(`   ${encodeRpcResult(1, '{"a":1}')}`, NO_HEADERS), { a: 1 });
  });

  it("is the error that this server would have given, for every code", () => {
    const reasons = new Set<string>();
    for (const code of Object.keys(ERRORS) as (keyof typeof ERRORS)[]) {
      // Each is told by its reason.
      assert.ok(!reasons.has(ERRORS[code].reason), code);
      reasons.add(ERRORS[code].reason);
      const sent = new A2aError(code, `what happened (${code})`, {
        metadata: { limit: "3" },
        violations: [{ field: "a.b", description: "is wrong" }],
      });
      const read = errorFrom(encodeRpcError(1, sent), { headers: new Map([["retry-after", "5"]]) });
      assert.deepEqual([read.code, read.message, read.retryAfterSec], [code, sent.message, 5]);
      assert.equal(encodeRpcError(1, read), encodeRpcError(1, sent));
    }
  });

  it("is no answer when it is anything else, and nothing of it is told", () => {
    for (const text of ["", "<html>secret</html>", "[]", "null", '{"jsonrpc":"2.0","id":1}', '"secret"']) {
      const error = errorFrom(text);
      assert.equal(error.code, "PEER_BAD_REPLY");
      assert.doesNotMatch(error.message, /secret/);
    }
    const unknown = errorFrom('{"error":{"code":-1,"message":7,"data":[{"reason":"FROM_THE_FUTURE"},3]}}');
    assert.equal(unknown.code, "INTERNAL");
  });
});
