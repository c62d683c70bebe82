// The agent that the Python clients call: acts by the first word of a message, in the words of the Python agents beside it.

import { type Clock, sleep } from "../../src/core/platform/clock.ts";
import type { RunOutcome, RunOutput, RunRequest, TaskRunner } from "../../src/core/ports.ts";
import type { Part } from "../../src/core/protocol/types.ts";
import type { ScriptedAgent } from "../sut/server.ts";

interface Run {
  readonly request: RunRequest;
  readonly rest: string;
  readonly emit: (output: RunOutput) => void;
  readonly clock: Clock;
}

const WORDS: Readonly<Record<string, (run: Run) => RunOutcome | Promise<RunOutcome>>> = {
  message: ({ rest }) => ({ kind: "message", parts: [{ text: `direct ${rest}` }] }),
  fail: ({ rest }) => ({ kind: "failed", reason: `because ${rest}` }),
  ask: () => ({ kind: "input-required", question: [{ text: "Which branch?" }] }),
  pieces: sayPieces,
  slow: sleepAndSay,
  wait: ({ clock, request, emit }) => {
    emit({ kind: "working" });
    return sleep(clock, 3_600_000, request.signal).then(() => ({ kind: "canceled" }));
  },
  files: ({ emit }) => {
    const file = { raw: "JVBERi0=", filename: "report.pdf", mediaType: "application/pdf" };
    return reply(emit, [file, { data: { rows: [1, 2] } }]);
  },
};

export const WORDS_AGENT: ScriptedAgent = {
  card: {
    name: "words",
    description: "Acts by the first word of a message.",
    version: "1.0.0",
    skills: [{ id: "words", name: "Words", description: "Acts by a word.", tags: ["test"] }],
    session: { model: "words" },
  },
  runner: createWordsRunner,
};

function createWordsRunner(clock: Clock): TaskRunner {
  return {
    async run(request, emit) {
      const [first] = request.message.parts;
      const text = first !== undefined && "text" in first ? first.text : "";
      if (request.resumes) return reply(emit, [{ text: `merged into ${text}` }]);
      const [word = "", ...rest] = text.split(" ");
      const act = WORDS[word];
      if (act === undefined) return reply(emit, [{ text: `${text}, said the agent` }]);
      return act({ request, rest: rest.join(" "), emit, clock });
    },
  };
}

function reply(emit: Run["emit"], parts: readonly Part[]): RunOutcome {
  emit({ kind: "working" });
  emit({ kind: "artifact", artifact: { artifactId: "reply", parts }, append: false, lastChunk: true });
  return { kind: "completed" };
}

/** Live text as a Pi session sends it: pieces, the end of the message, and then the whole once more. */
function sayPieces({ emit }: Run): RunOutcome {
  emit({ kind: "working" });
  const pieces = ["one, ", "two, ", "three"];
  for (const [nth, text] of pieces.entries()) {
    const artifact = { artifactId: "reply", parts: [{ text }] };
    emit({ kind: "artifact", artifact, append: nth > 0, lastChunk: nth === 2, provisional: true });
  }
  return reply(emit, [{ text: pieces.join("") }]);
}

async function sleepAndSay({ emit, clock, request, rest }: Run): Promise<RunOutcome> {
  emit({ kind: "working" });
  await sleep(clock, Number(rest) * 1000, request.signal);
  return request.signal.aborted ? { kind: "canceled" } : reply(emit, [{ text: `slept ${rest} s` }]);
}
