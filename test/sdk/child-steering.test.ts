// What is said to a child session at work, with real Pi in this process.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Context, fauxToolCall, fauxAssistantMessage as say } from "@mariozechner/pi-ai";
import type { RunOutput } from "../../src/core/ports.ts";
import type { Message } from "../../src/core/protocol/types.ts";
import { createMailbox, type Mailbox } from "../../src/engine/mailbox.ts";
import { textMessage } from "../support/builders.ts";
import { createSdkHost, type SdkHost } from "../support/sdk-host.ts";

describe("a message to a child session at work", () => {
  let host: SdkHost;
  let mailbox: Mailbox;
  beforeEach(async () => {
    host = await createSdkHost();
    mailbox = createMailbox();
  });
  afterEach(() => host.close());

  const send = (message: string | Message): void =>
    mailbox.expect()(typeof message === "string" ? textMessage(message) : message);
  const run = (onOutput: (output: RunOutput) => void = () => undefined) =>
    host.run("work", { steering: mailbox.steering, onOutput });
  /** Calls back when the child shows that it uses a tool. */
  const atTool =
    (act: () => void) =>
    (output: RunOutput): void => {
      if (output.kind === "working" && output.note !== undefined) act();
    };

  it("comes after the tools of its step and before the next model call, framed as the caller's", async () => {
    const seen: string[][] = [];
    host.script(call("bash", { command: "true" }), (context) => {
      seen.push(context.messages.map(({ role }) => role));
      return say(lastText(context));
    });
    const { outcome, reply } = await run(atTool(() => send("in blue")));
    assert.deepEqual(outcome, { kind: "completed" });
    assert.deepEqual(seen, [["user", "assistant", "toolResult", "user"]]);
    assert.match(
      reply ?? "",
      /^Your caller sent this while.*\n\n\[A2A peer message\] The remote agent "ip:127\.0\.0\.1".*\n\nin blue$/,
    );
    assert.equal(mailbox.isOpen(), false);
  });

  it("comes with all others that wait, and before the first step when it came before the child was there", async () => {
    send("one");
    send("two");
    host.script((context) => say(JSON.stringify(context.messages)));
    const { reply } = await run();
    assert.match(reply ?? "", /work.*one.*two/s);
    assert.equal(host.faux.state.callCount, 1);
  });

  it("is no command and no template, whatever it begins with", async () => {
    host.script(call("bash", { command: "true" }), (context) => say(lastText(context)));
    const { reply } = await run(atTool(() => send("/skill:none --help")));
    assert.match(reply ?? "", /\n\n\/skill:none --help$/);
  });

  it("takes the place of a question that the child asks in the same step", async () => {
    host.script(call("a2a_ask_caller", { question: "Which branch?" }), (context) => say(lastText(context)));
    const { outcome, reply } = await run(atTool(() => send("main, please")));
    assert.deepEqual(outcome, { kind: "completed" });
    assert.match(reply ?? "", /had not read that yet[\s\S]*main, please$/);
  });

  it("can be asked back", async () => {
    host.script(call("bash", { command: "true" }), call("a2a_ask_caller", { question: "Light or dark?" }));
    const { outcome } = await run(
      atTool(() => mailbox.waiting() === 0 && host.faux.state.callCount < 2 && send("blue")),
    );
    assert.deepEqual(outcome, { kind: "input-required", question: [{ text: "Light or dark?" }] });
  });

  it("stores its files beside those that are there", async () => {
    const file = (text: string) => ({ raw: Buffer.from(text).toString("base64"), filename: "a.txt" });
    host.script(call("bash", { command: "true" }), call("bash", { command: "cat .a2a-inbox/*/*.txt" }), (context) =>
      say(lastText(context)),
    );
    const first = { ...textMessage("work"), parts: [{ text: "work" }, file("one")] };
    const { reply } = await host.run("", {
      message: first,
      steering: mailbox.steering,
      onOutput: atTool(() => {
        if (host.faux.state.callCount > 1) return;
        send({ ...first, messageId: "m-2", parts: [{ text: "more" }, file("two")] });
        send({ ...first, messageId: "m-3", parts: [file("three")] });
      }),
    });
    assert.deepEqual(reply?.match(/one|two|three/g)?.sort(), ["one", "three", "two"]);
  });

  it("goes on without files that the workspace does not take, and says so to the child", async () => {
    await writeFile(join(host.workspace, ".a2a-inbox"), "not a folder");
    host.script(call("bash", { command: "true" }), (context) => say(lastText(context)));
    const parts = [{ text: "see" }, { raw: "AA==", filename: "a.bin" }];
    const { outcome, reply } = await run(atTool(() => send({ ...textMessage(""), parts })));
    assert.deepEqual(outcome, { kind: "completed" });
    assert.match(reply ?? "", /could not be stored[\s\S]*see\n\[file "a\.bin", 1 bytes\]$/);
  });

  it("waits out a compaction, and the run that follows it, and is given then", async () => {
    await host.close();
    host = await createSdkHost({ contextWindow: 12_000 });
    host.script(
      call("bash", { command: `printf 'word %.0s' $(seq 1 4000)` }),
      say("", { stopReason: "error", errorMessage: "prompt is too long: 213462 tokens > 200000 maximum" }),
      () => {
        send("in blue");
        return say("SUMMARY");
      },
      (context) => say(`recovered: ${lastText(context)}`),
      (context) => say(`more: ${lastText(context)}`),
    );
    const { outcome, reply } = await run();
    assert.deepEqual(outcome, { kind: "completed" });
    assert.match(reply ?? "", /^(recovered|more): Your caller sent this[\s\S]*in blue$/);
    assert.equal(mailbox.waiting(), 0);
  });

  it("ends with a run whose model fails", async () => {
    const fail = () => {
      send("go on");
      return say("", { stopReason: "error", errorMessage: "refused" });
    };
    host.script(fail, say("never said"));
    const { outcome } = await run();
    assert.equal(outcome.kind, "failed");
    assert.deepEqual([mailbox.waiting(), mailbox.isOpen()], [0, false]);
  });

  it("is either refused or seen by the model, at whatever moment it comes", async () => {
    for (let turns = 0; turns < 60; turns++) {
      mailbox = createMailbox();
      const seen = new Set<string>();
      const step = (context: Context) => {
        for (const { content } of context.messages) if (JSON.stringify(content).includes("needle")) seen.add("needle");
        return say("ok");
      };
      host.script(step, step, step);
      let over = false;
      const running = run().finally(() => {
        over = true;
      });
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      const accepted = mailbox.isOpen() && !over;
      if (accepted) {
        // As it is while it is being stored.
        const handOut = mailbox.expect();
        await new Promise((resolve) => setImmediate(resolve));
        handOut(textMessage("needle"));
      }
      assert.deepEqual((await running).outcome, { kind: "completed" });
      assert.equal(seen.has("needle"), accepted, `after ${turns} turns`);
    }
  });
});

function call(tool: string, args: Record<string, unknown>) {
  return say([fauxToolCall(tool, args)], { stopReason: "toolUse" });
}

function lastText({ messages }: Context): string {
  const content = messages.at(-1)?.content ?? "";
  return typeof content === "string" ? content : content.map((part) => ("text" in part ? part.text : "")).join("");
}
