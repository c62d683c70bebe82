import assert from "node:assert/strict";
import type { AgentSession } from "@mariozechner/pi-coding-agent";
import { createLog } from "../../../../src/core/platform/log.ts";
import { promptAndSettle } from "../../../../src/pi/child/settle.ts";
import { createFakeClock, type FakeClock } from "../../../support/fake-clock.ts";

describe("promptAndSettle", () => {
  it("waits for the host's own idle signal where there is one", async () => {
    const steps: string[] = [];
    const { deps } = world();
    const session = {
      prompt: async (text: string, options: object) => void steps.push(`prompt ${text} ${JSON.stringify(options)}`),
      waitForIdle: async () => void steps.push("idle"),
    };
    await promptAndSettle(session as unknown as AgentSession, "/x", deps);
    assert.deepEqual(steps, [
      'prompt /x {"expandPromptTemplates":false,"source":"rpc","streamingBehavior":"steer"}',
      "idle",
    ]);
  });

  it("rejects with the host's reason when no run could start", async () => {
    const { host, deps, clock } = world();
    const settled = promptAndSettle(host.session, "x", deps);
    host.refuse(new Error("no key"));
    await assert.rejects(settled, /no key/);
    assert.equal(clock.pending(), 0);
    assert.equal(host.listeners(), 0);
  });

  it("settles after a run although prompt() never does", async () => {
    const { host, deps, clock } = world();
    const settled = follow(promptAndSettle(host.session, "x", deps));
    host.agent({ type: "agent_start" });
    host.agent({ type: "agent_end", messages: [] });
    await pump(clock);
    assert.equal(settled.done, true);
    assert.equal(host.listeners(), 0);
  });

  it("waits for an announced retry, and for the run that it starts", async () => {
    const { host, deps, clock } = world();
    const settled = follow(promptAndSettle(host.session, "x", deps));
    host.agent({ type: "agent_end", messages: [] });
    host.event({ type: "auto_retry_start", attempt: 1, maxAttempts: 2, delayMs: 500, errorMessage: "503" });
    await pump(clock);
    assert.equal(settled.done, false);
    clock.tick(500);
    host.running(true);
    host.agent({ type: "agent_start" });
    await pump(clock);
    assert.equal(settled.done, false);
    host.running(false);
    await pump(clock);
    assert.equal(settled.done, true);
    assert.equal(clock.pending(), 0);
  });

  it("does not wait for ever for a continuation that never starts", async () => {
    const { host, deps, clock } = world();
    const settled = follow(promptAndSettle(host.session, "x", deps));
    host.agent({ type: "agent_end", messages: [] });
    host.event({ type: "compaction_end", reason: "overflow", result: undefined, aborted: false, willRetry: true });
    await pump(clock);
    assert.equal(settled.done, false);
    clock.tick(5_100);
    await pump(clock);
    assert.equal(settled.done, true);
  });

  it("does not wait for ever for handlers that never finish, and says so (L09)", async () => {
    const { host, deps, clock, log } = world();
    host.queue(new Promise(() => undefined));
    const settled = follow(promptAndSettle(host.session, "x", deps));
    host.agent({ type: "agent_end", messages: [] });
    await pump(clock);
    clock.tick(29_999);
    await pump(clock);
    assert.equal(settled.done, false);
    clock.tick(1);
    await pump(clock);
    assert.equal(settled.done, true);
    assert.match(JSON.stringify(log.lines()), /still busy after its run/);
  });
});

type SessionEvent = Parameters<Parameters<AgentSession["subscribe"]>[0]>[0];
type AgentEvent = Parameters<Parameters<AgentSession["agent"]["subscribe"]>[0]>[0];

function world() {
  const clock = createFakeClock();
  const log = createLog(clock, () => "log-id");
  return { clock, log, deps: { clock, log }, host: fakeSession() };
}

/** A session of 0.73.1 as far as settling looks at it. */
function fakeSession() {
  const sessionListeners = new Set<(event: SessionEvent) => void>();
  const agentListeners = new Set<(event: AgentEvent) => void>();
  let refuse: (error: Error) => void = () => undefined;
  let idle: () => void = () => undefined;
  const session = {
    isStreaming: false,
    isCompacting: false,
    _agentEventQueue: Promise.resolve() as Promise<unknown>,
    prompt: () =>
      new Promise<void>((_resolve, reject) => {
        refuse = reject;
      }),
    subscribe(listener: (event: SessionEvent) => void) {
      sessionListeners.add(listener);
      return () => sessionListeners.delete(listener);
    },
    agent: {
      hasQueuedMessages: () => false,
      waitForIdle: () =>
        new Promise<void>((resolve) => {
          idle = resolve;
        }),
      subscribe(listener: (event: AgentEvent) => void) {
        agentListeners.add(listener);
        return () => agentListeners.delete(listener);
      },
    },
  };
  return {
    session: session as unknown as AgentSession,
    refuse: (error: Error) => refuse(error),
    event(event: SessionEvent): void {
      for (const listener of sessionListeners) listener(event);
    },
    agent(event: AgentEvent): void {
      for (const listener of agentListeners) listener(event);
    },
    queue(queue: Promise<unknown>): void {
      session._agentEventQueue = queue;
    },
    running(running: boolean): void {
      session.isStreaming = running;
      if (!running) idle();
    },
    listeners: () => sessionListeners.size + agentListeners.size,
  };
}

function follow(work: Promise<void>): { done: boolean } {
  const state = { done: false };
  void work.then(() => {
    state.done = true;
  });
  return state;
}

/** Lets promises and deferred callbacks run until nothing more happens by itself. */
async function pump(clock: FakeClock): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    clock.flush();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
