// The fold of what a peer sends into one reply: nothing twice, nothing lost, bounded.

import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { decodeStreamResponse } from "../../../src/core/protocol/decode-task.ts";
import type { Artifact, JsonObject, Part, StreamResponse, TaskState } from "../../../src/core/protocol/types.ts";
import { createReplyFold, type ReplyFold } from "../../../src/outbound/reply.ts";
import {
  agentMessage,
  artifact,
  artifactUpdate,
  CONTEXT_ID,
  completedTask,
  status,
  statusUpdate,
  TASK_ID,
  task,
  textMessage,
  userMessage,
} from "../../support/builders.ts";
import { refusal } from "../../support/refusal.ts";

const foldOf = (...responses: StreamResponse[]): ReplyFold => {
  const fold = createReplyFold();
  for (const response of responses) fold.add(response);
  return fold;
};
const piece = (text: string, append: boolean, artifactId = "a1", lastChunk = false): StreamResponse => ({
  artifactUpdate: artifactUpdate({ artifact: artifact({ artifactId, parts: [{ text }] }), append, lastChunk }),
});
const state = (name: TaskState, text?: string, messageId = `m-${text}`): StreamResponse => ({
  statusUpdate: statusUpdate(name, {
    status: status(name, text === undefined ? {} : { message: agentMessage({ messageId, parts: [{ text }] }) }),
  }),
});
const working = { task: task() };
const completed = state("TASK_STATE_COMPLETED");

describe("the state of a reply", () => {
  it("takes ids, state and time from a task", () => {
    const fold = foldOf({ task: completedTask() });
    assert.deepEqual(fold.stand(), {
      taskId: TASK_ID,
      contextId: CONTEXT_ID,
      state: "TASK_STATE_COMPLETED",
      timestamp: "2026-01-01T00:00:00.000Z",
      line: "done",
    });
    assert.equal(fold.settled(), true);
  });

  it("waits on after a first task that is only submitted (C25)", () => {
    const fold = foldOf({ task: task("TASK_STATE_SUBMITTED") });
    assert.equal(fold.settled(), false);
    fold.add(state("TASK_STATE_WORKING"));
    fold.add(piece("hi", false));
    assert.equal(fold.settled(), false);
    fold.add(completed);
    assert.equal(fold.settled(), true);
  });

  it("takes a task with nothing in it for one that runs (C14)", () => {
    const empty = decodeStreamResponse({
      task: { id: "t1", status: { state: "TASK_STATE_SUBMITTED", message: null }, artifacts: [], history: null },
    });
    const fold = foldOf(empty);
    assert.equal(fold.settled(), false);
    assert.equal(fold.text(), "");
    assert.deepEqual(fold.attachments(), []);
  });

  it("takes an artifact without parts (C14)", () => {
    const fold = foldOf(working, { artifactUpdate: artifactUpdate({ artifact: artifact({ parts: [] }) }) }, completed);
    assert.equal(fold.text(), "");
  });

  it("takes ids from a status event when the stream does not begin with a task (T01)", () => {
    const fold = foldOf(state("TASK_STATE_WORKING"));
    assert.equal(fold.stand().taskId, TASK_ID);
    assert.equal(fold.stand().contextId, CONTEXT_ID);
  });

  it("is settled by a question and goes on after it", () => {
    const fold = foldOf(working, state("TASK_STATE_INPUT_REQUIRED", "Which branch?"));
    assert.equal(fold.settled(), true);
    assert.equal(fold.text(), "Which branch?");
    fold.add(state("TASK_STATE_WORKING"));
    fold.add(piece("on main", false));
    fold.add(completed);
    assert.equal(fold.text(), "on main");
  });

  it("changes nothing after a terminal state", () => {
    const fold = foldOf(
      { task: completedTask("done") },
      state("TASK_STATE_WORKING", "again"),
      piece("more", true, "reply"),
    );
    assert.equal(fold.stand().state, "TASK_STATE_COMPLETED");
    assert.equal(fold.text(), "done");
  });

  it("leaves out events of another task", () => {
    const fold = foldOf(working, { statusUpdate: statusUpdate("TASK_STATE_FAILED", { taskId: "other" }) });
    assert.equal(fold.settled(), false);
  });

  it("takes events that name no task for its own", () => {
    const fold = foldOf(working, { statusUpdate: statusUpdate("TASK_STATE_COMPLETED", { taskId: "", contextId: "" }) });
    assert.equal(fold.settled(), true);
    assert.equal(fold.stand().taskId, TASK_ID);
  });
});

describe("the reply to an answer", () => {
  const ASKED_AT = "2026-01-01T00:00:01.000Z";
  const asking = (timestamp: string | undefined, question = "Which one?"): StreamResponse => {
    const message = agentMessage({ parts: [{ text: question }] });
    const { timestamp: _, ...without } = status("TASK_STATE_INPUT_REQUIRED", { message });
    return { task: task("TASK_STATE_INPUT_REQUIRED", { status: { ...without, ...(timestamp && { timestamp }) } }) };
  };

  it("is not the question that was answered, however often the task still shows it", () => {
    const fold = createReplyFold({ askedAt: ASKED_AT });
    for (let looks = 0; looks < 3; looks++) fold.add(asking(ASKED_AT));
    assert.equal(fold.stand().state, "TASK_STATE_WORKING");
    assert.equal(fold.settled(), false);
    assert.equal(fold.text(), "");
    fold.add(piece("done", false));
    fold.add(completed);
    assert.equal(fold.text(), "done");
  });

  it("is a new question, by snapshot or by update", () => {
    const bySnapshot = createReplyFold({ askedAt: ASKED_AT });
    bySnapshot.add(asking("2026-01-01T00:00:02.000Z", "And which branch?"));
    assert.equal(bySnapshot.settled(), true);
    assert.equal(bySnapshot.text(), "And which branch?");
    const byUpdate = createReplyFold({ askedAt: ASKED_AT });
    byUpdate.add(asking(ASKED_AT));
    byUpdate.add(state("TASK_STATE_INPUT_REQUIRED", "And which branch?"));
    assert.equal(byUpdate.settled(), true);
    assert.equal(byUpdate.text(), "And which branch?");
  });

  it("passes over the first snapshot alone when nobody knows when the question was asked", () => {
    const fold = createReplyFold({ askedAt: undefined });
    fold.add(asking(undefined));
    assert.equal(fold.settled(), false);
    fold.add(asking(undefined));
    assert.equal(fold.settled(), true);
  });

  it("begins with a question when the message answered none", () => {
    assert.equal(foldOf(asking(ASKED_AT)).settled(), true);
  });
});

describe("the text of a reply", () => {
  it("joins pieces of one artifact without anything between, and artifacts apart (C15)", () => {
    const fold = foldOf(
      working,
      piece("Hel", false),
      piece("lo, ", true),
      piece("bye", false, "a2"),
      piece("wor", true),
      piece("ld", true),
      completed,
    );
    assert.equal(fold.text(), "Hello, world\n\nbye");
  });

  it("holds a streamed text once when the final status repeats it (C16) [client-artifact-merge]", () => {
    const fold = foldOf(
      working,
      piece("Hello, ", false),
      piece("wor", true),
      piece("ld!", true, "a1", true),
      state("TASK_STATE_COMPLETED", "Hello, world!"),
    );
    assert.equal(fold.text(), "Hello, world!");
  });

  it("holds it once when the final task repeats it (C16)", () => {
    const whole = task("TASK_STATE_COMPLETED", {
      artifacts: [artifact({ artifactId: "a1", parts: [{ text: "Hello" }] })],
    });
    assert.equal(foldOf(working, piece("Hel", false), piece("lo", true), { task: whole }).text(), "Hello");
  });

  it("replaces an artifact whose last piece is the whole text", () => {
    const fold = foldOf(working, piece("Hel", false), piece("lo", true), piece("Hello!", false, "a1", true), completed);
    assert.equal(fold.text(), "Hello!");
  });

  it("creates an artifact for a piece that appends to none, and goes on after the last one (C17) [client-artifact-merge]", () => {
    const fold = foldOf(
      working,
      piece("first", true),
      piece(" last", true, "a1", true),
      piece(" late", true),
      completed,
    );
    assert.equal(fold.text(), "first last late");
  });

  it("goes on from the snapshot of a new subscription", () => {
    const snapshot = task("TASK_STATE_WORKING", {
      artifacts: [artifact({ artifactId: "a1", parts: [{ text: "Hello, " }] })],
    });
    assert.equal(
      foldOf(working, piece("Hel", false), { task: snapshot }, piece("world", true), completed).text(),
      "Hello, world",
    );
  });

  it("leaves out a final status that repeats only the end of the text", () => {
    assert.equal(
      foldOf(working, piece("Hello, world", false), state("TASK_STATE_COMPLETED", "world")).text(),
      "Hello, world",
    );
  });

  it("keeps a remark in the final status that the artifacts do not hold (C11) [client-nothing-lost]", () => {
    assert.equal(
      foldOf(working, piece("42", false), state("TASK_STATE_COMPLETED", "I counted.")).text(),
      "42\n\nI counted.",
    );
  });

  for (const name of ["TASK_STATE_FAILED", "TASK_STATE_REJECTED", "TASK_STATE_CANCELED"] as const) {
    it(`puts the reason first and what was made so far after it, for ${name}`, () => {
      assert.equal(foldOf(working, piece("part", false), state(name, "no disk")).text(), "no disk\n\npart");
    });
  }

  it("takes the final status without artifacts, then working notes, then the history (S01)", () => {
    assert.equal(
      foldOf(working, state("TASK_STATE_WORKING", "note"), state("TASK_STATE_COMPLETED", "said")).text(),
      "said",
    );
    assert.equal(foldOf(working, state("TASK_STATE_WORKING", "note"), completed).text(), "note");
    const history = [
      agentMessage({ parts: [{ text: "old" }] }),
      userMessage(),
      agentMessage({ parts: [{ text: "one" }] }),
      agentMessage({ parts: [{ text: "two" }] }),
    ];
    assert.equal(foldOf({ task: task("TASK_STATE_COMPLETED", { history }) }).text(), "one\ntwo");
  });

  it("joins working notes that are pieces, that grow, and that repeat", () => {
    const notes = (...texts: [id: string, text: string][]): string =>
      foldOf(working, ...texts.map(([id, text]) => state("TASK_STATE_WORKING", text, id)), completed).text();
    assert.equal(notes(["m", "Hel"], ["m", "lo"]), "Hello");
    assert.equal(notes(["m", "Hel"], ["m", "Hello"]), "Hello");
    assert.equal(notes(["m1", "one"], ["m2", "two"], ["m3", "two"]), "one\ntwo");
  });

  it("keeps messages apart, and puts together what was cut where a text has blanks", () => {
    const history = (...texts: string[]): string =>
      foldOf({
        task: task("TASK_STATE_INPUT_REQUIRED", {
          history: [userMessage(), ...texts.map((text, n) => agentMessage({ messageId: `h${n}`, parts: [{ text }] }))],
        }),
      }).text();
    assert.equal(history("Reading.", "Done."), "Reading.\nDone.");
    assert.equal(history("I am", " the", " agent", ", who", " else"), "I am the agent, who else");
    assert.equal(history("so ", "so ", "la la"), "so so la la");
    assert.equal(history("again", "again"), "again");
  });

  it("joins what Gemini CLI marks as pieces, and leaves out its thoughts and tools", () => {
    const coder = (kind: string, parts: readonly Part[], n = 0): StreamResponse => ({
      statusUpdate: statusUpdate("TASK_STATE_WORKING", {
        metadata: { coderAgent: { kind } },
        status: status("TASK_STATE_WORKING", { message: agentMessage({ messageId: `${kind}-${n}`, parts }) }),
      }),
    });
    const said = [
      coder("thought", [{ text: "hm" }]),
      coder("text-content", [{ text: "Hel" }], 1),
      coder("tool-call-update", [{ data: { tool: "ls" } }]),
      coder("text-content", [{ text: "lo" }], 2),
    ];
    assert.equal(foldOf(working, ...said).text(), "Hello");
    const ended = foldOf(working, ...said, state("TASK_STATE_INPUT_REQUIRED"));
    assert.equal(ended.text(), "Hello");
    assert.deepEqual(ended.attachments(), []);
    const confirm = coder("tool-call-confirmation", [{ data: { tool: "rm" } }]);
    const asks = foldOf(working, ...said, confirm, state("TASK_STATE_INPUT_REQUIRED"));
    assert.deepEqual(asks.attachments()[0]?.parts, [{ data: { tool: "rm" } }]);
  });

  it("passes over a final remark that says nothing when the history says more", () => {
    const spoken = (...texts: string[]): string =>
      foldOf({
        task: task("TASK_STATE_COMPLETED", {
          status: status("TASK_STATE_COMPLETED", { message: textMessage("Task completed successfully") }),
          history: [userMessage(), ...texts.map((text) => agentMessage({ parts: [{ text }] }))],
        }),
      }).text();
    assert.equal(spoken("The answer is 42."), "The answer is 42.");
    assert.equal(spoken(), "Task completed successfully");
  });

  it("leaves out the tools of ADK, but not one that waits for the caller", () => {
    const call = (metadata: JsonObject): Part => ({ data: { name: "f" }, metadata });
    const parts = [
      { text: "thinking", metadata: { adk_thought: true } },
      call({ adk_type: "function_call" }),
      { text: "42" },
    ];
    const done = foldOf(working, { artifactUpdate: artifactUpdate({ artifact: artifact({ parts }) }) }, completed);
    assert.equal(done.text(), "42");
    assert.deepEqual(done.attachments(), []);
    const waits = call({ adk_type: "function_call", adk_is_long_running: true });
    const asked = foldOf(
      working,
      { artifactUpdate: artifactUpdate({ artifact: artifact({ parts: [waits] }) }) },
      state("TASK_STATE_INPUT_REQUIRED"),
    );
    assert.deepEqual(asked.attachments()[0]?.parts, [waits]);
  });

  it("gives a working task's text so far, else its newest note", () => {
    assert.equal(foldOf(working, piece("so far", false), state("TASK_STATE_WORKING", "bash")).text(), "so far");
    assert.equal(
      foldOf(working, state("TASK_STATE_WORKING", "read"), state("TASK_STATE_WORKING", "bash")).text(),
      "bash",
    );
  });

  it("takes a Message in place of a task", () => {
    const fold = foldOf({ message: textMessage("hello back", { role: "ROLE_AGENT", contextId: "c1" }) });
    assert.equal(fold.text(), "hello back");
    assert.deepEqual(fold.stand(), { contextId: "c1", state: "TASK_STATE_COMPLETED", line: "hello back" });
  });

  it("takes a message inside a task's stream for words of the agent (T01)", () => {
    const fold = foldOf(working, { message: agentMessage({ parts: [{ text: "thinking aloud" }] }) });
    assert.equal(fold.settled(), false);
    fold.add(completed);
    assert.equal(fold.text(), "thinking aloud");
  });

  it("leaves out thoughts", () => {
    const parts: Part[] = [{ text: "hmm", metadata: { adk_thought: true } }, { text: "yes" }];
    const made = { artifactUpdate: artifactUpdate({ artifact: artifact({ parts }) }) };
    assert.equal(foldOf(working, made, completed).text(), "yes");
  });
});

describe("the attachments of a reply", () => {
  const file: Part = { raw: "JVBERi0=", filename: "report.pdf", mediaType: "application/pdf" };

  it("keep everything that is not text, as it came (C37) [client-files-named]", () => {
    const made = {
      artifactUpdate: artifactUpdate({ artifact: artifact({ name: "n", parts: [{ text: "see" }, file] }) }),
    };
    const fold = foldOf(working, made, completed);
    assert.equal(fold.text(), "see");
    assert.deepEqual(fold.attachments(), [{ artifactId: "reply", name: "n", parts: [file] }]);
  });

  it("come from messages too, also data that is null", () => {
    const fold = foldOf({ message: agentMessage({ parts: [{ data: null }] }) });
    assert.deepEqual(fold.attachments(), [{ artifactId: "m-2", parts: [{ data: null }] }]);
  });
});

describe("the newest line of a reply", () => {
  it("follows pieces, and notes of the status", () => {
    const fold = foldOf(working, piece("first line\nsec", false), piece("ond", true));
    assert.equal(fold.stand().line, "second");
    fold.add(piece("\n", true));
    assert.equal(fold.stand().line, "second");
    fold.add(state("TASK_STATE_WORKING", "bash"));
    assert.equal(fold.stand().line, "bash");
  });

  it("stays short", () => {
    assert.equal(foldOf(working, piece("x".repeat(100_000), false)).stand().line?.length, 400);
  });
});

describe("the size of a reply", () => {
  const megabyte = "x".repeat(1024 * 1024);

  it("is bounded for pieces that append (C30)", () => {
    const fold = foldOf(working);
    refusal("PEER_BAD_REPLY", () => {
      for (let n = 0; n < 20; n++) fold.add(piece(megabyte, true));
    });
  });

  it("counts all that a peer may make long, not the contents of parts alone (C30)", () => {
    const metadata = { megabyte };
    const artifacts: ((n: number) => Partial<Artifact>)[] = [
      () => ({ metadata }),
      () => ({ name: megabyte }),
      () => ({ description: megabyte }),
      (n) => ({ parts: [{ text: `${n}`, metadata }] }),
    ];
    for (const make of artifacts) {
      refusal("PEER_BAD_REPLY", () => {
        const fold = foldOf(working);
        for (let n = 0; n < 20; n++) {
          fold.add({ artifactUpdate: artifactUpdate({ artifact: artifact({ artifactId: `a${n}`, ...make(n) }) }) });
        }
      });
    }
    refusal("PEER_BAD_REPLY", () => {
      const fold = foldOf(working);
      for (let n = 0; n < 20; n++) {
        const message = agentMessage({ messageId: `m${n}`, parts: [{ text: `${n}` }], metadata });
        fold.add({
          statusUpdate: statusUpdate("TASK_STATE_WORKING", { status: status("TASK_STATE_WORKING", { message }) }),
        });
      }
    });
  });

  it("is bounded for artifacts that hold nothing (C30)", () => {
    refusal("PEER_BAD_REPLY", () => {
      const fold = foldOf(working);
      for (let n = 0; n < 200_000; n++) {
        fold.add({ artifactUpdate: artifactUpdate({ artifact: artifact({ artifactId: `a${n}`, parts: [] }) }) });
      }
    });
  });

  it("does not count what was replaced, metadata and appended pieces included", () => {
    const fold = foldOf(working);
    for (let n = 0; n < 20; n++) {
      fold.add({
        artifactUpdate: artifactUpdate({
          artifact: artifact({ artifactId: "a1", metadata: { megabyte } }),
          append: false,
        }),
      });
      fold.add(piece(megabyte, true));
    }
  });

  it("is bounded for notes and artifacts without end (C30)", () => {
    refusal("PEER_BAD_REPLY", () => {
      const fold = foldOf(working);
      for (let n = 0; n < 20; n++) fold.add(state("TASK_STATE_WORKING", `${n}${megabyte}`));
    });
    refusal("PEER_BAD_REPLY", () => {
      const fold = foldOf(working);
      for (let n = 0; n < 20; n++) fold.add(piece(megabyte, false, `a${n}`));
    });
  });

  it("does not count what was replaced", () => {
    const fold = foldOf(working);
    for (let n = 0; n < 50; n++) fold.add(piece(megabyte, false));
    fold.add(completed);
    assert.equal(fold.text().length, megabyte.length);
  });
});
