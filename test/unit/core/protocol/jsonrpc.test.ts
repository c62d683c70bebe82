import assert from "node:assert/strict";
import fc from "fast-check";
import { A2aError, ERRORS, type ErrorCode, isA2aError } from "../../../../src/core/platform/errors.ts";
import {
  decodeRpcRequest,
  decodeRpcResponse,
  encodeRpcError,
  encodeRpcResult,
  readRpcId,
} from "../../../../src/core/protocol/jsonrpc.ts";
import { refusal } from "../../../support/refusal.ts";
import { deepFreeze, likelyJson } from "../../../support/wire-arbitraries.ts";

const IDS = [null, 0, "", "abc", 1.5, -1, "7", 7, Number.MAX_SAFE_INTEGER] as const;

describe("decoding a request", () => {
  it("keeps every valid id with its type (W19)", () => {
    for (const id of IDS) {
      const request = { jsonrpc: "2.0", id, method: "GetTask", params: { id: "t" } };
      assert.deepEqual(decodeRpcRequest(request), { id, method: "GetTask", params: { id: "t" } });
      assert.equal(readRpcId(request), id);
    }
  });

  it("tells a request without id, a notification, from one with id null (W19)", () => {
    assert.deepEqual(decodeRpcRequest({ jsonrpc: "2.0", method: "GetTask" }), {
      id: undefined,
      method: "GetTask",
      params: undefined,
    });
    assert.equal(decodeRpcRequest({ jsonrpc: "2.0", id: null, method: "GetTask" }).id, null);
  });

  it("refuses ids of other types, and ones that would not come back the same (W19)", () => {
    const unsafe = JSON.parse("12345678901234567890");
    for (const id of [{ a: 1 }, [1], true, unsafe, JSON.parse("1e999"), "x".repeat(1025)]) {
      const request = { jsonrpc: "2.0", id, method: "GetTask" };
      refusal("INVALID_REQUEST", () => decodeRpcRequest(request));
      assert.equal(readRpcId(request), null);
    }
  });

  it("refuses batches by name (W19)", () => {
    const one = { jsonrpc: "2.0", id: 1, method: "GetTask" };
    assert.match(refusal("INVALID_REQUEST", () => decodeRpcRequest([one, one])).message, /batch/);
    assert.equal(readRpcId([one, one]), null);
  });

  it("refuses what is no request object (W04)", () => {
    for (const value of [[], "x", null, 1, true, undefined, {}]) {
      refusal("INVALID_REQUEST", () => decodeRpcRequest(value));
    }
  });

  it("refuses another version or a missing method, while the id can still be echoed", () => {
    const wrong = [
      { id: 1, method: "GetTask" },
      { jsonrpc: "1.0", id: 1, method: "GetTask" },
      { jsonrpc: 2, id: 1, method: "GetTask" },
      { jsonrpc: "2.0", id: 1 },
      { jsonrpc: "2.0", id: 1, method: 5 },
      { jsonrpc: "2.0", id: 1, method: null },
    ];
    for (const value of wrong) {
      refusal("INVALID_REQUEST", () => decodeRpcRequest(value));
      assert.equal(readRpcId(value), 1);
    }
  });
});

describe("encoding a reply", () => {
  it("puts the result text under the same id", () => {
    for (const id of IDS) {
      assert.deepEqual(JSON.parse(encodeRpcResult(id, '{"a":[1]}')), { jsonrpc: "2.0", id, result: { a: [1] } });
    }
  });

  it("gives each code of the table its JSON-RPC number and reason, in ErrorInfo first", () => {
    for (const [code, row] of Object.entries(ERRORS)) {
      const reply = JSON.parse(encodeRpcError("x", new A2aError(code as ErrorCode, "what happened")));
      assert.deepEqual(reply, {
        jsonrpc: "2.0",
        id: "x",
        error: {
          code: row.rpc,
          message: "what happened",
          data: [
            { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: row.reason, domain: "a2a-protocol.org" },
          ],
        },
      });
    }
  });

  it("adds metadata and field violations, and keeps hint and cause inside", () => {
    const error = new A2aError("INVALID_PARAMS", "message.parts is missing", {
      metadata: { taskId: "t1" },
      violations: [{ field: "message.parts", description: "is missing" }],
      hint: "look at /home/me",
      cause: new Error("secret"),
    });
    const text = encodeRpcError(1, error);
    assert.deepEqual(JSON.parse(text).error.data, [
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "INVALID_PARAMS",
        domain: "a2a-protocol.org",
        metadata: { taskId: "t1" },
      },
      {
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        fieldViolations: [{ field: "message.parts", description: "is missing" }],
      },
    ]);
    assert.doesNotMatch(text, /secret|home/);
  });
});

describe("decoding a peer's reply", () => {
  it("gives the result, also null", () => {
    assert.deepEqual(decodeRpcResponse({ jsonrpc: "2.0", id: 1, result: { a: 1 } }, 1), { a: 1 });
    assert.equal(decodeRpcResponse({ jsonrpc: "2.0", id: 1, result: null }, 1), null);
    assert.equal(decodeRpcResponse({ jsonrpc: "2.0", id: 1, result: 0, error: null }, 1), 0);
  });

  it("refuses a reply without the version marker or with another one, and shows what came (W02) [client-reply-version]", () => {
    const reply = { id: 1, result: { message: { messageId: "x" } } };
    assert.match(refusal("PEER_BAD_REPLY", () => decodeRpcResponse(reply, 1)).message, /jsonrpc.*"result"/);
    refusal("PEER_BAD_REPLY", () => decodeRpcResponse({ ...reply, jsonrpc: "1.0" }, 1));
  });

  it("refuses a reply under another id, also when only its type differs (W03) [client-reply-id]", () => {
    for (const id of [8, "7", null, undefined, 7.5, { a: 7 }]) {
      refusal("PEER_BAD_REPLY", () => decodeRpcResponse({ jsonrpc: "2.0", id, result: 1 }, 7));
    }
  });

  it("refuses what is no reply", () => {
    for (const value of [
      null,
      [],
      "<html>",
      3,
      {},
      { jsonrpc: "2.0", id: 1 },
      { jsonrpc: "2.0", id: 1, error: "no" },
    ]) {
      refusal("PEER_BAD_REPLY", () => decodeRpcResponse(value, 1));
    }
    refusal("PEER_BAD_REPLY", () => decodeRpcResponse({ jsonrpc: "2.0", id: 1, error: { code: "x" } }, 1));
  });

  it("keeps the peer's code, message and reason of an error", () => {
    const data = [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "TASK_NOT_FOUND" }];
    const error = refusal("PEER_ERROR", () =>
      decodeRpcResponse({ jsonrpc: "2.0", id: 1, error: { code: -32001, message: "no such task", data } }, 1),
    );
    assert.match(error.message, /-32001: no such task/);
    assert.deepEqual(error.metadata, { rpcCode: "-32001", reason: "TASK_NOT_FOUND" });
  });

  it("takes error data of any shape, and an error without message [client-error-data]", () => {
    for (const data of [
      undefined,
      null,
      "x",
      { reason: 1 },
      [null, 1, { reason: "not a reason" }],
      { reason: "" },
      { reason: "X".repeat(64) },
    ]) {
      const reply = { jsonrpc: "2.0", id: 1, error: { code: -32603, data } };
      assert.deepEqual(refusal("PEER_ERROR", () => decodeRpcResponse(reply, 1)).metadata, { rpcCode: "-32603" });
    }
  });

  it("takes an error without id, since the peer may not have been able to read it", () => {
    const error = { code: -32700, message: "parse error" };
    refusal("PEER_ERROR", () => decodeRpcResponse({ jsonrpc: "2.0", id: null, error }, 1));
    refusal("PEER_ERROR", () => decodeRpcResponse({ jsonrpc: "2.0", error }, 1));
    refusal("PEER_BAD_REPLY", () => decodeRpcResponse({ jsonrpc: "2.0", id: 2, error }, 1));
  });

  it("cuts a peer's endless error text", () => {
    const reply = { jsonrpc: "2.0", id: 1, error: { code: 1, message: "x".repeat(1_000_000) } };
    assert.ok(refusal("PEER_ERROR", () => decodeRpcResponse(reply, 1)).message.length < 2100);
  });
});

describe("the envelope decoders", () => {
  it("give a value or an A2aError for any input, and leave it alone", () => {
    fc.assert(
      fc.property(fc.oneof(likelyJson, fc.anything()), (value) => {
        deepFreeze(value);
        for (const decode of [decodeRpcRequest, (input: unknown) => decodeRpcResponse(input, 1)]) {
          try {
            decode(value);
          } catch (error) {
            assert.ok(isA2aError(error), String(error));
          }
        }
        const id = readRpcId(value);
        assert.ok(id === null || typeof id === "string" || typeof id === "number");
      }),
    );
  });

  const anyId = fc.oneof(fc.constant(null), fc.string({ maxLength: 40 }), fc.maxSafeInteger());

  it("read back every request", () => {
    fc.assert(
      fc.property(anyId, fc.string(), fc.jsonValue(), (id, method, params) => {
        const wire: unknown = JSON.parse(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
        const read = decodeRpcRequest(wire);
        assert.deepEqual([read.id, read.method], [id, method]);
        assert.equal(JSON.stringify(read.params), JSON.stringify(params));
        assert.equal(readRpcId(wire), id);
      }),
    );
  });

  it("read back every result under its own id, and under no other (W03)", () => {
    fc.assert(
      fc.property(anyId, anyId, fc.json(), (id, other, result) => {
        const reply: unknown = JSON.parse(encodeRpcResult(id, result));
        assert.equal(JSON.stringify(decodeRpcResponse(reply, id)), JSON.stringify(JSON.parse(result)));
        if (id !== other) refusal("PEER_BAD_REPLY", () => decodeRpcResponse(reply, other));
      }),
    );
  });

  it("read back code, text and reason of every error", () => {
    const codes = Object.keys(ERRORS) as ErrorCode[];
    fc.assert(
      fc.property(anyId, fc.constantFrom(...codes), fc.string({ minLength: 1, maxLength: 100 }), (id, code, text) => {
        const reply: unknown = JSON.parse(encodeRpcError(id, new A2aError(code, text)));
        const read = refusal("PEER_ERROR", () => decodeRpcResponse(reply, id));
        assert.deepEqual({ ...read.metadata }, { rpcCode: String(ERRORS[code].rpc), reason: ERRORS[code].reason });
        assert.ok(read.message.endsWith(text));
      }),
    );
  });
});
