import assert from "node:assert/strict";
import { A2aError } from "../../../../src/core/platform/errors.ts";
import { createLog } from "../../../../src/core/platform/log.ts";
import { createMailbox } from "../../../../src/engine/mailbox.ts";
import type { ChildEvent } from "../../../../src/pi/child/child-events.ts";
import { type SteeringDeps, steerRun } from "../../../../src/pi/child/steered-run.ts";
import { userMessage } from "../../../support/builders.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";

const STARTS = { type: "agent_start" } as ChildEvent;

/** The end of a step, or of a run, whose last message stopped for this reason. */
function ends(type: "turn_end" | "agent_end", stopReason: string): ChildEvent {
  const message = { role: "assistant", stopReason };
  return (type === "turn_end"
    ? { type, message, toolResults: [] }
    : { type, messages: [message] }) as unknown as ChildEvent;
}

/** A run of a child whose host takes each prompt as the test says. */
function stage(options: { readonly textOf?: SteeringDeps["textOf"]; readonly prompt?: () => Promise<void> } = {}) {
  const mailbox = createMailbox();
  const log = createLog(createFakeClock(), () => "log-id");
  const given: string[] = [];
  const cleared: number[] = [];
  const session = {
    isStreaming: true,
    agent: { steeringMode: "one-at-a-time" },
    async prompt(text: string, how: object) {
      await options.prompt?.();
      assert.deepEqual(how, { expandPromptTemplates: false, source: "rpc", streamingBehavior: "steer" });
      given.push(text);
    },
  };
  const run = steerRun({
    log,
    session: session as unknown as SteeringDeps["session"],
    steering: mailbox.steering,
    textOf: options.textOf ?? (async ({ messageId }) => messageId),
    answered: () => void cleared.push(given.length),
  });
  const send = (messageId: string): void => mailbox.expect()(userMessage({ messageId }));
  return { mailbox, log, given, cleared, session, run, send };
}

describe("messages for a child at work", () => {
  it("wait for the end of its step, and are all given then", async () => {
    const { run, send, given, mailbox, session } = stage();
    assert.equal(session.agent.steeringMode, "all");
    send("one");
    send("two");
    assert.deepEqual(given, []);
    await run.hear(ends("turn_end", "toolUse"));
    assert.deepEqual(given, ["one", "two"]);
    assert.equal(mailbox.waiting(), 0);
  });

  it("are given when its run begins, when they came before", async () => {
    const { run, send, given } = stage();
    send("one");
    await run.hear(STARTS);
    assert.deepEqual(given, ["one"]);
  });

  it("become its next prompt when they come after its last step", async () => {
    const { run, send, given, mailbox } = stage();
    await run.hear(ends("turn_end", "stop"));
    await run.hear(ends("agent_end", "stop"));
    send("one");
    assert.equal(await run.next(), "one");
    assert.deepEqual([given, mailbox.waiting()], [[], 0]);
    assert.equal(await run.next(), undefined);
    assert.equal(mailbox.isOpen(), false);
  });

  it("that are being stored keep the run from its end", async () => {
    const { run, mailbox } = stage();
    const handOut = mailbox.expect();
    const next = run.next();
    assert.equal(mailbox.isOpen(), true);
    handOut(userMessage({ messageId: "late" }));
    assert.equal(await next, "late");
  });

  it("take back what the child has asked before", async () => {
    const { run, send, cleared } = stage();
    await run.hear(ends("turn_end", "toolUse"));
    assert.deepEqual(cleared, []);
    send("one");
    await run.hear(ends("turn_end", "toolUse"));
    assert.deepEqual(cleared, [1]);
  });

  it("are not given after a model call that failed: a retry takes them", async () => {
    const { run, send, given } = stage();
    send("one");
    await run.hear(ends("turn_end", "error"));
    await run.hear(ends("agent_end", "error"));
    assert.deepEqual(given, []);
    await run.hear(STARTS);
    assert.deepEqual(given, ["one"]);
  });

  for (const reason of ["error", "aborted"]) {
    it(`end with a run that has failed for good (${reason})`, async () => {
      const { run, send, given, mailbox } = stage();
      send("one");
      await run.hear(ends("agent_end", reason));
      assert.equal(await run.next(), undefined);
      assert.deepEqual([given, mailbox.waiting(), mailbox.isOpen()], [[], 0, false]);
    });
  }

  it("are prepared one after the other, in the order in which they came", async () => {
    const open: (() => void)[] = [];
    const begun: string[] = [];
    const { run, send, given } = stage({
      textOf: async ({ messageId }) => {
        begun.push(messageId);
        await new Promise<void>((resolve) => open.push(resolve));
        return messageId;
      },
    });
    send("one");
    send("two");
    const handed = run.hear(ends("turn_end", "toolUse"));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([begun, given], [["one"], []]);
    open[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(begun, ["one", "two"]);
    open[1]?.();
    await handed;
    assert.deepEqual(given, ["one", "two"]);
  });

  it("that the host does not take while it works become the next prompt, and that is logged", async () => {
    const { run, send, log, mailbox } = stage({ prompt: () => Promise.reject(new Error("compaction is in progress")) });
    send("one");
    await run.hear(ends("turn_end", "toolUse"));
    assert.match(JSON.stringify(log.lines()), /compaction is in progress/);
    assert.equal(mailbox.waiting(), 1);
    assert.equal(await run.next(), "one");
  });

  it("are not given to a session that has stopped", async () => {
    const { run, send, given, session } = stage();
    session.isStreaming = false;
    send("one");
    await run.hear(STARTS);
    assert.deepEqual(given, []);
    assert.equal(await run.next(), "one");
  });

  it("end the run with the reason when it was stopped while they were prepared, and log nothing", async () => {
    const stopped = new A2aError("CANCELLED", "the task was stopped");
    const { run, send, log } = stage({ textOf: () => Promise.reject(stopped) });
    send("one");
    await run.hear(ends("turn_end", "toolUse"));
    await assert.rejects(run.next(), stopped);
    assert.deepEqual(log.lines(), []);
  });

  it("do not concern a run that takes none", async () => {
    const { session, log } = stage();
    const run = steerRun({
      log,
      session: session as unknown as SteeringDeps["session"],
      steering: undefined,
      textOf: () => assert.fail(),
      answered: () => assert.fail(),
    });
    await run.hear(STARTS);
    await run.hear(ends("turn_end", "stop"));
    assert.equal(await run.next(), undefined);
  });
});
