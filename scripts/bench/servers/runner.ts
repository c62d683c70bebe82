// The runner of the measured server: does at once what the message says, so that only the server is measured. Goes through the
// redaction that Pi's runner has.

import type { RunOutput, TaskRunner } from "../../../src/core/ports.ts";
import { partsToText } from "../../../src/core/protocol/text.ts";
import type { Redaction } from "../../../src/core/security/redact/redaction.ts";
import { redactRun } from "../../../src/core/security/redact/run-output.ts";
import { pieceText, REPLY } from "./server-settings.ts";

/** A message of this form is answered by so many pieces of live text, one in each turn of the event loop. */
const STREAM = /^stream (\d+)$/;
/** Answered by a text of so many letters, past the redaction: it makes tasks whose memory is measured, not their time. */
const LARGE = /^large (\d+)$/;

export function createBenchRunner(redaction: Redaction): TaskRunner {
  return {
    async run({ message }, emit) {
      const run = redactRun(redaction, emit);
      run.emit({ kind: "working" });
      const text = partsToText(message.parts);
      const pieces = STREAM.exec(text)?.[1];
      const letters = LARGE.exec(text)?.[1];
      if (pieces !== undefined) await sayPieces(Number(pieces), run.emit);
      else if (letters !== undefined) emit(reply(largeText(Number(letters))));
      else run.emit(reply(REPLY));
      return run.outcome({ kind: "completed" });
    },
  };
}

/** Each time another string, as of another model's reply. */
function largeText(letters: number): string {
  return Buffer.from("All work and no play. ".repeat(Math.ceil(letters / 22)).slice(0, letters)).toString("latin1");
}

async function sayPieces(count: number, emit: (output: RunOutput) => void): Promise<void> {
  for (let n = 0; n < count; n++) {
    emit({ ...reply(pieceText(n)), append: n > 0, lastChunk: n === count - 1, provisional: true });
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function reply(text: string): Extract<RunOutput, { kind: "artifact" }> {
  return { kind: "artifact", artifact: { artifactId: "reply", parts: [{ text }] }, append: false, lastChunk: true };
}
