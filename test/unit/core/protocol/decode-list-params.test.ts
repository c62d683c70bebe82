import assert from "node:assert/strict";
import fc from "fast-check";
import { isA2aError } from "../../../../src/core/platform/errors.ts";
import { decodeListTasksParams } from "../../../../src/core/protocol/decode-list-params.ts";
import { encodePageToken } from "../../../../src/core/protocol/page-token.ts";
import { refusal } from "../../../support/refusal.ts";
import * as some from "../../../support/wire-arbitraries.ts";

describe("decoding the params of ListTasks", () => {
  it("reads every filter, in both spellings", () => {
    const wire = {
      contextId: "ctx-a",
      status: "TASK_STATE_WORKING",
      pageSize: 7,
      pageToken: encodePageToken({ at: 5, id: "task-1" }),
      historyLength: 0,
      statusTimestampAfter: "2026-01-02T00:00:00Z",
      includeArtifacts: true,
      tenant: "x",
    };
    const decoded = {
      ...wire,
      pageToken: { at: 5, id: "task-1" },
      statusTimestampAfter: Date.UTC(2026, 0, 2),
    };
    assert.deepEqual(decodeListTasksParams(wire), decoded);
    assert.deepEqual(decodeListTasksParams(some.inSnakeCase(wire)), decoded);
  });

  it("reads numbers in strings, states by number, and takes what says nothing for absent", () => {
    assert.deepEqual(decodeListTasksParams({ pageSize: "100", status: 3 }), {
      pageSize: 100,
      status: "TASK_STATE_COMPLETED",
    });
    for (const nothing of [
      {},
      { status: "TASK_STATE_UNSPECIFIED", pageToken: "", contextId: "", tenant: "" },
      { status: 0, pageSize: null, pageToken: null, historyLength: null, statusTimestampAfter: null },
      { unknown: 1 },
    ]) {
      assert.deepEqual(decodeListTasksParams(nothing), {});
    }
  });

  it("reads times as instants, whatever their zone and digits (W16)", () => {
    const instant = (text: string): number | undefined =>
      decodeListTasksParams({ statusTimestampAfter: text }).statusTimestampAfter;
    const midnight = Date.UTC(2026, 0, 2);
    assert.equal(instant("2026-01-02T02:00:00+02:00"), midnight);
    assert.equal(instant("2026-01-01T22:00:00-02:00"), midnight);
    assert.equal(instant("2026-01-02T00:00:00.5Z"), midnight + 500);
    assert.equal(instant("2026-01-02T00:00:00.000000Z"), midnight);
    assert.equal(instant("2026-01-02T00:00:00.000001Z"), midnight + 1, "no status of ours lies between milliseconds");
  });

  const WRONG: [field: string, values: unknown[]][] = [
    ["contextId", [1, true, {}, [], "x".repeat(1025)]],
    ["status", ["done", "completed", "", "task_state_working", 9, -1, 1.5, true, {}]],
    ["pageSize", [true, false, 0, -1, 101, 100_000, 1.5, "x", "1e1", "", [], {}]],
    ["pageToken", ["%%%", 1, true, "x", {}, "x".repeat(10_000), Buffer.from("|").toString("base64url")]],
    ["historyLength", [-1, true, 1.5, 2 ** 31, "many"]],
    ["statusTimestampAfter", ["yesterday", "", 0, 1767312000000, true, "2026-13-01T00:00:00Z", {}, "9".repeat(500)]],
    ["includeArtifacts", ["true", 1, 0, {}]],
    ["tenant", [1, {}]],
  ];
  for (const [field, values] of WRONG) {
    it(`refuses wrong values of ${field} by name (W16)`, () => {
      for (const value of values) {
        const error = refusal("INVALID_PARAMS", () => decodeListTasksParams({ [field]: value }));
        assert.equal(error.violations[0]?.field, field, JSON.stringify(value)?.slice(0, 80));
        assert.ok(error.message.length < 500);
      }
    });
  }

  it("refuses params that are no object", () => {
    for (const params of [undefined, null, [], "x", 1, true]) {
      const error = refusal("INVALID_PARAMS", () => decodeListTasksParams(params));
      assert.equal(error.violations[0]?.field, "params");
    }
  });

  it("gives a value or an A2aError, whatever arrives", () => {
    fc.assert(
      fc.property(fc.oneof(some.likelyJson, fc.jsonValue(), fc.anything()), (value) => {
        some.deepFreeze(value);
        try {
          JSON.stringify(decodeListTasksParams(value));
        } catch (error) {
          assert.ok(isA2aError(error), String(error));
        }
      }),
      { numRuns: 300 },
    );
  });
});
