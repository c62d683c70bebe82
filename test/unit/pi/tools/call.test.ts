import assert from "node:assert/strict";
import { A2aError, isA2aError } from "../../../../src/core/platform/errors.ts";
import { createLog } from "../../../../src/core/platform/log.ts";
import type { CallResult } from "../../../../src/outbound/client-types.ts";
import { UNWATCHED } from "../../../../src/pi/dispatched/dispatched.ts";
import type { ReplyStore } from "../../../../src/pi/files/reply-store.ts";
import { callTool } from "../../../../src/pi/tools/call.ts";
import { cancelTool } from "../../../../src/pi/tools/cancel.ts";
import { statusTool } from "../../../../src/pi/tools/status.ts";
import type { ToolDeps } from "../../../../src/pi/tools/tool-deps.ts";
import { callResult, createFakeClient, type FakeClient } from "../../../support/fake-client.ts";
import { createFakeClock, type FakeClock } from "../../../support/fake-clock.ts";
import { createFakeContext } from "../../../support/fake-pi.ts";
import { NOTHING_KEPT } from "../../../support/kept-reply.ts";

interface Bench {
  readonly deps: ToolDeps;
  readonly clock: FakeClock;
  readonly client: FakeClient;
  readonly kept: string[];
}

function bench(answer: Parameters<typeof createFakeClient>[0]): Bench {
  const clock = createFakeClock();
  const client = createFakeClient(answer);
  const kept: string[] = [];
  const keep: ReplyStore["keep"] = async ({ text }) => {
    if (text.length < 60_000) return NOTHING_KEPT;
    kept.push(text);
    return { ...NOTHING_KEPT, textPath: "/agent/a2a_replies/reply-1.txt" };
  };
  const outgoing: ToolDeps["outgoing"] = async (cwd, paths) => {
    if (paths.includes("none")) throw new A2aError("INVALID_PARAMS", 'there is no file "none"');
    return paths.map((path) => ({ raw: "", filename: `${cwd}/${path}` }));
  };
  const log = createLog(clock, () => "log-1");
  return {
    deps: {
      clock,
      log,
      client: async () => client,
      replies: async () => ({ keep }),
      outgoing,
      dispatched: async () => UNWATCHED,
    },
    clock,
    client,
    kept,
  };
}

const { ctx } = createFakeContext();

async function call(
  deps: ToolDeps,
  params: Parameters<ReturnType<typeof callTool>["execute"]>[1],
  signal?: AbortSignal,
) {
  const updates: string[] = [];
  const result = await callTool(deps).execute("id", params, signal, (partial) => updates.push(textOf(partial)), ctx);
  return { text: textOf(result), updates, details: result.details };
}

function textOf(result: { content: { type: string; text?: string }[] }): string {
  return result.content[0]?.text ?? "";
}

describe("a2a_call", () => {
  it("hands over the message and gives the reply below its anchor", async () => {
    const { deps, client } = bench(() => callResult());
    const { text } = await call(deps, { agent: "worker", message: "do it", context_id: "ctx-1" });
    assert.equal(text, "[A2A → worker · context ctx-1 · completed]\nall done");
    assert.deepEqual(
      {
        agent: client.calls[0]?.agent,
        text: client.calls[0]?.text,
        contextId: client.calls[0]?.contextId,
        typed: client.calls[0]?.typed,
      },
      { agent: "worker", text: "do it", contextId: "ctx-1", typed: false },
    );
  });

  for (const state of ["TASK_STATE_FAILED", "TASK_STATE_REJECTED", "TASK_STATE_CANCELED"] as const) {
    it(`throws when the task ended as ${state}, with the peer's reason`, async () => {
      const { deps, clock } = bench(() => callResult({ state, text: "disk full" }));
      await assert.rejects(call(deps, { agent: "worker", message: "x" }), (error: unknown) => {
        assert.ok(isA2aError(error, "TASK_FAILED"));
        assert.match(error.message, /^\[A2A → worker · context ctx-1 · \S+\]\ndisk full/);
        return true;
      });
      assert.equal(clock.pending(), 0);
    });
  }

  it("answers the task that is named, and takes files of the session's folder along", async () => {
    const { deps, client } = bench(() => callResult());
    await call(deps, { agent: "worker", message: "main", context_id: "ctx-1", task_id: "task-1", files: ["a.txt"] });
    const { taskId, contextId, parts } = client.calls[0] ?? {};
    assert.deepEqual([taskId, contextId], ["task-1", "ctx-1"]);
    assert.deepEqual(parts, [{ raw: "", filename: `${ctx.cwd}/a.txt` }]);
  });

  it("takes parameters that are filled in with nothing as left out", async () => {
    const { deps, client } = bench(() => callResult());
    await call(deps, { agent: "worker", message: "x", context_id: "", task_id: " ", files: [] });
    assert.deepEqual(Object.keys(client.calls[0] ?? {}).sort(), ["agent", "detached", "onProgress", "text", "typed"]);
  });

  it("calls nobody when a file cannot be sent", async () => {
    const { deps, client } = bench(() => callResult());
    await assert.rejects(call(deps, { agent: "worker", message: "x", files: ["none"] }), /there is no file "none"/);
    assert.deepEqual(client.calls, []);
  });

  it("gives a question as a result, with the way to answer", async () => {
    const { deps } = bench(() => callResult({ state: "TASK_STATE_INPUT_REQUIRED", text: "Which branch?" }));
    assert.match(
      (await call(deps, { agent: "worker", message: "x" })).text,
      /Which branch\?[\s\S]*context_id: "ctx-1"/,
    );
  });

  it("says what happened and what to do when the call fails", async () => {
    const { deps } = bench(() => {
      throw new A2aError("PEER_UNREACHABLE", "worker does not answer at http://127.0.0.1:9910");
    });
    await assert.rejects(
      call(deps, { agent: "worker", message: "x" }),
      /does not answer at http:\/\/127\.0\.0\.1:9910\nCheck the URL/,
    );
  });

  it("hides an unexpected error behind a log id", async () => {
    const { deps } = bench(() => {
      throw new TypeError("secret internals");
    });
    await assert.rejects(call(deps, { agent: "worker", message: "x" }), (error: Error) => {
      assert.doesNotMatch(error.message, /secret internals/);
      assert.match(error.message, /log-1/);
      return true;
    });
  });

  it("redraws state, time and the last line each second, and stops when it ends", async () => {
    let finish = (_result: CallResult): void => undefined;
    const { deps, clock, client } = bench(() => new Promise<CallResult>((resolve) => (finish = resolve)));
    const updates: string[] = [];
    const running = callTool(deps).execute(
      "id",
      { agent: "worker", message: "x" },
      undefined,
      (partial) => updates.push(textOf(partial)),
      ctx,
    );
    while (client.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    client.calls[0]?.onProgress?.({
      taskId: "task-1",
      state: "TASK_STATE_WORKING",
      elapsedMs: 0,
      line: "bash\u001b[2J",
    });
    clock.tick(2000);
    assert.equal(updates[0], "calling · 0.0s");
    assert.match(updates.at(-1) ?? "", /^working · 2\.0s · task-1 · bash$/);
    finish(callResult());
    await running;
    assert.equal(clock.pending(), 0);
  });

  it("passes Esc on to the client", async () => {
    const { deps, client } = bench(() => callResult());
    const controller = new AbortController();
    await call(deps, { agent: "worker", message: "x" }, controller.signal);
    assert.equal(client.calls[0]?.signal, controller.signal);
  });

  it("keeps a reply that is too long in a file and names it (C34)", async () => {
    const { deps, kept } = bench(() => callResult({ text: "y".repeat(100_000) }));
    const { text } = await call(deps, { agent: "worker", message: "x" });
    assert.equal(kept.length, 1);
    assert.match(text, /reply-1\.txt/);
    assert.ok(text.length < 60_000);
  });
});

describe("a2a_cancel", () => {
  const cancel = async (deps: ToolDeps): Promise<string> => {
    const params = { agent: "worker", task_id: "task-9" };
    return textOf(await cancelTool(deps).execute("id", params, undefined, undefined, ctx));
  };

  it("tells the peer, and gives what the task had made", async () => {
    const { deps, client } = bench(() => callResult());
    assert.match(await cancel(deps), /^\[task task-9 · context ctx-1 · canceled\]\nhalf of it$/);
    assert.deepEqual(client.canceled, [{ agent: "worker", taskId: "task-9", typed: false }]);
  });

  it("says so when the task goes on in spite of it", async () => {
    const { deps, client } = bench(() => callResult());
    client.cancel = async () => callResult({ taskId: "task-9", state: "TASK_STATE_WORKING", text: "" });
    assert.match(await cancel(deps), /· working\][\s\S]*was told to cancel the task, which has not stopped yet/);
  });

  it("says what the peer objects to", async () => {
    const { deps, client } = bench(() => callResult());
    client.cancel = async () => {
      throw new A2aError("PEER_ERROR", "worker: task task-9 has ended: completed");
    };
    await assert.rejects(cancel(deps), /task-9 has ended: completed/);
  });
});

describe("a2a_status", () => {
  it("reports a failed task as a result, because the question was how it stands", async () => {
    const { deps } = bench(() => callResult({ state: "TASK_STATE_FAILED", text: "disk full" }));
    const result = await statusTool(deps).execute(
      "id",
      { agent: "worker", task_id: "task-1" },
      undefined,
      undefined,
      ctx,
    );
    assert.match(textOf(result), /^\[task task-1 · context ctx-1 · failed\]\ndisk full$/);
  });

  it("says that the wait is over when the task still runs (C39)", async () => {
    const { deps, client } = bench(() => callResult({ state: "TASK_STATE_WORKING", text: "" }));
    const result = await statusTool(deps).execute(
      "id",
      { agent: "worker", task_id: "task-1", wait_seconds: 5 },
      undefined,
      undefined,
      ctx,
    );
    assert.match(textOf(result), /still runs/);
    assert.equal(client.asked[0]?.waitSec, 5);
  });
});
