// What a child and its caller hand each other beside the reply: files both ways, questions and their answers. Real Pi.

import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Context, fauxText, fauxToolCall, fauxAssistantMessage as say } from "@mariozechner/pi-ai";
import type { RunOutput } from "../../src/core/ports.ts";
import type { Artifact, Message } from "../../src/core/protocol/types.ts";
import { agentMessage, TASK_ID, textMessage, userMessage } from "../support/builders.ts";
import { createSdkHost, type SdkHost, type SdkHostOptions } from "../support/sdk-host.ts";

const QUESTION = { kind: "input-required", question: [{ text: "Which branch?" }] };

describe("what a child session and its caller hand each other", () => {
  let host: SdkHost;
  const start = async (options?: SdkHostOptions): Promise<void> => {
    host = await createSdkHost(options);
  };
  afterEach(() => host.close());

  describe("files of the caller", () => {
    const PDF = { raw: "JVBERg==", filename: "../../report.pdf", mediaType: "application/pdf" };
    const PATH = `.a2a-inbox/${TASK_ID}/report.pdf`;
    const withFile = (text: string): Message => userMessage({ parts: [{ text }, PDF] });

    it("are named to the child and can be read where they are said to be (W13) [agent-files-in]", async () => {
      await start();
      const asked: string[] = [];
      host.script(
        (context) => {
          asked.push(lastText(context));
          return call("read", { path: PATH });
        },
        (context) => say(lastText(context)),
      );
      const { outcome, reply } = await host.run("", { message: withFile("look at this") });
      assert.deepEqual(outcome, { kind: "completed" });
      assert.ok(
        asked[0]?.endsWith(`look at this\n[file "../../report.pdf" (application/pdf), 4 bytes, stored as ${PATH}]`),
      );
      assert.equal(reply, "%PDF");
    });

    it("stay through a question, so that the next turn finds them, and go with the task", async () => {
      await start();
      host.script(say("[INPUT_REQUIRED] Which branch?"));
      await host.run("", { message: withFile("tag it") });
      assert.deepEqual(await readdir(join(host.workspace, ".a2a-inbox")), [TASK_ID]);
      host.script(call("read", { path: PATH }), (context) => say(lastText(context)));
      const { reply } = await host.run("main", { resumes: true });
      assert.equal(reply, "%PDF");
      assert.deepEqual(await readdir(host.workspace), []);
    });

    it("go when the task ends while it waits for its caller", async () => {
      await start();
      host.script(say("[INPUT_REQUIRED] Which branch?"));
      await host.run("", { message: withFile("tag it") });
      host.runner.taskEnded(TASK_ID);
      await host.runner.idle();
      assert.deepEqual(await readdir(host.workspace), []);
    });

    it("go when the task fails or is cancelled [agent-files-in]", async () => {
      await start();
      host.script(say("", { stopReason: "error", errorMessage: "refused" }));
      assert.equal((await host.run("", { message: withFile("x") })).outcome.kind, "failed");
      assert.deepEqual(await readdir(host.workspace), []);
      const abort = new AbortController();
      host.script(say("word ".repeat(100)));
      const onOutput = (output: RunOutput): void => {
        if (output.kind === "artifact") abort.abort();
      };
      const { outcome } = await host.run("", { message: withFile("x"), signal: abort.signal, onOutput });
      assert.deepEqual(outcome, { kind: "canceled" });
      assert.deepEqual(await readdir(host.workspace), []);
    });

    it("fail the task when the workspace does not take them: no child runs without them (W13) [agent-files-lost]", async () => {
      await start();
      await host.write(".a2a-inbox", "a file where the folder should be");
      const { outcome } = await host.run("", { message: withFile("x") });
      assert.deepEqual(outcome, {
        kind: "failed",
        reason:
          "the files of the message could not be stored in this agent's workspace (ENOTDIR). " +
          "The workspace must be a folder that this agent may write to.",
      });
      assert.equal(host.faux.state.callCount, 0);
      assert.match(JSON.stringify(host.log.lines()), /\.a2a-inbox/);
    });
  });

  describe("files of the child", () => {
    it("become whole artifacts of their own, several of a task apart [agent-files-out]", async () => {
      await start();
      await host.write("a.txt", "one");
      await host.write("b.csv", "two");
      host.script(
        call("a2a_attach", { path: "a.txt" }),
        call("a2a_attach", { path: "b.csv", name: "a.txt" }),
        say("There you are."),
      );
      const { outcome, outputs, reply } = await host.run("give me the files");
      assert.deepEqual(outcome, { kind: "completed" });
      assert.equal(reply, "There you are.");
      const files = attached(outputs);
      assert.deepEqual(
        files.map(({ name, parts }) => ({ name, parts })),
        [
          { name: "a.txt", parts: [{ raw: "b25l", filename: "a.txt", mediaType: "text/plain" }] },
          { name: "a.txt", parts: [{ raw: "dHdv", filename: "a.txt", mediaType: "text/plain" }] },
        ],
      );
      assert.equal(new Set(files.map(({ artifactId }) => artifactId)).size, 2);
      const output = outputs.find((one) => one.kind === "artifact" && one.artifact === files[0]);
      assert.ok(output?.kind === "artifact" && !output.append && output.lastChunk && output.provisional !== true);
    });

    it("are only those of its workspace, and the child is told why", async () => {
      await start();
      await writeFile(join(host.agentDir, "auth.json"), "{}");
      host.script(call("a2a_attach", { path: "../agent/auth.json" }), (context) => say(lastText(context)));
      const { outputs, reply } = await host.run("give me the keys");
      assert.deepEqual(attached(outputs), []);
      assert.match(reply ?? "", /"\.\.\/agent\/auth\.json" lies outside of the workspace/);
    });
  });

  describe("questions", () => {
    it("end the run with one model call, and the answer goes on in the same conversation and file (S15) [agent-asks] [agent-answer]", async () => {
      await start();
      host.script(call("a2a_ask_caller", { question: "Which branch?" }, "I need to know."));
      const first = await host.run("tag the release");
      assert.deepEqual(first.outcome, QUESTION);
      assert.equal(host.faux.state.callCount, 1);
      const seen: string[] = [];
      host.script((context) => {
        seen.push(...context.messages.map((message) => `${message.role}: ${textOf(message)}`));
        return say("Tagged main.");
      });
      const second = await host.run("main", { resumes: true });
      assert.deepEqual(second.outcome, { kind: "completed" });
      assert.equal(second.reply, "Tagged main.");
      assert.deepEqual(
        seen.map((line) => line.replace(/\[A2A peer message\][^\n]*\n\n/, "")),
        [
          "user: tag the release",
          "assistant: I need to know.",
          "toolResult: The question was sent. The answer comes as the next message.",
          "user: main",
        ],
      );
      assert.equal((await readdir(join(host.agentDir, "a2a_sessions"))).length, 1);
    });

    it("may be asked again and again (S16)", async () => {
      await start();
      host.script(call("a2a_ask_caller", { question: "Which branch?" }));
      assert.deepEqual((await host.run("tag")).outcome, QUESTION);
      host.script(say("[INPUT_REQUIRED] Which branch?"));
      assert.deepEqual((await host.run("the good one", { resumes: true })).outcome, QUESTION);
      host.script((context) => say(`${context.messages.filter(({ role }) => role === "user").length} messages`));
      assert.equal((await host.run("main", { resumes: true })).reply, "3 messages");
    });

    it("end the run also when other tools are called beside them", async () => {
      await start();
      const both = [
        fauxToolCall("bash", { command: "touch ran" }),
        fauxToolCall("a2a_ask_caller", { question: "Which branch?" }),
      ];
      host.script(say(both, { stopReason: "toolUse" }), say("I go on without you."));
      assert.deepEqual((await host.run("tag")).outcome, QUESTION);
      assert.equal(host.faux.state.callCount, 1);
      assert.ok((await readdir(host.workspace)).includes("ran"));
    });

    it("that are empty do not end the run", async () => {
      await start();
      host.script(call("a2a_ask_caller", { question: " " }), (context) => say(lastText(context)));
      const { outcome, reply } = await host.run("tag");
      assert.deepEqual(outcome, { kind: "completed" });
      assert.match(reply ?? "", /the question is empty/);
    });

    it("by the mark are not streamed as a reply", async () => {
      await start();
      host.script(say("[INPUT_REQUIRED]\nWhich branch?"));
      const { outcome, outputs } = await host.run("tag");
      assert.deepEqual(outcome, QUESTION);
      const shown = outputs.filter(({ kind }) => kind !== "metadata");
      assert.deepEqual(shown, [{ kind: "working" }]);
    });

    it("are remembered from the task's history when no transcripts are kept", async () => {
      await start({ server: { childTranscripts: false } });
      const asked: string[] = [];
      host.script((context) => {
        asked.push(lastText(context));
        return say("ok");
      });
      const history = [textMessage("tag the release"), agentMessage({ parts: [{ text: "Which branch?" }] })];
      await host.run("main", { resumes: true, history });
      assert.ok(
        asked[0]?.endsWith("Caller: tag the release\nYou: Which branch?\n\nWhat the caller says now:\nmain"),
        asked[0],
      );
    });

    it("and files are offered to the child in its instructions", async () => {
      await start();
      let prompt = "";
      host.script((context) => {
        prompt = context.systemPrompt ?? "";
        return say("ok");
      });
      await host.run("hello");
      assert.match(prompt, /- a2a_ask_caller: .*\n- a2a_attach: /);
      assert.match(prompt, /- Use a2a_attach for files/);
    });
  });
});

function call(name: string, args: Record<string, unknown>, text?: string) {
  const content = [...(text === undefined ? [] : [fauxText(text)]), fauxToolCall(name, args)];
  return say(content, { stopReason: "toolUse" });
}

function attached(outputs: readonly RunOutput[]): Artifact[] {
  return outputs.flatMap((output) =>
    output.kind === "artifact" && output.artifact.artifactId !== "reply" ? [output.artifact] : [],
  );
}

/** The newest message of the user or a tool. */
function lastText(context: Context): string {
  const last = context.messages.at(-1);
  return last === undefined ? "" : textOf(last);
}

function textOf({ content }: Context["messages"][number]): string {
  return typeof content === "string"
    ? content
    : content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
