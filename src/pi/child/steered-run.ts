// Owns how messages of the caller reach a child at work. Pi looks at its queue when a run begins and after each step, and at no other
// time: a message is handed over just before, so it never lies in the queue of a child that has stopped. What comes after the last
// step goes on with the same child as its next prompt.

import type { AgentSession } from "@mariozechner/pi-coding-agent";
import { isA2aError } from "../../core/platform/errors.ts";
import type { Log } from "../../core/platform/log.ts";
import type { Steering, SteeringMessage } from "../../core/ports.ts";
import type { Message } from "../../core/protocol/types.ts";
import type { ChildEvent } from "./child-events.ts";
import { PROMPT_OPTIONS } from "./settle.ts";

export interface SteeredRun {
  /** Of the child's agent, in their order. The agent waits for what this gives before it takes its next step. */
  hear(event: ChildEvent): Promise<void> | undefined;
  /** The next prompt, once the child has settled; undefined when nothing waits, and nothing more is accepted from then on. */
  next(): Promise<string | undefined>;
}

export interface SteeringDeps {
  readonly log: Log;
  readonly session: Pick<AgentSession, "prompt" | "isStreaming" | "agent">;
  /** Absent when the run takes no messages. */
  readonly steering: Steering | undefined;
  /** The message as the child gets it; its files are stored by then. Rejects when the run was stopped. */
  readonly textOf: (message: Message) => Promise<string>;
  /** A message was given to the child: what the child had asked is not asked any more. */
  readonly answered: () => void;
}

interface Letter {
  readonly taken: SteeringMessage["taken"];
  readonly text: Promise<string>;
}

export function steerRun(deps: SteeringDeps): SteeredRun {
  const { steering, session, textOf } = deps;
  const letters: Letter[] = [];
  let broken = false;
  let comes: () => void = () => undefined;
  // All that waits for a step is given with it, not one message for each step.
  session.agent.steeringMode = "all";
  let stored: Promise<unknown> = Promise.resolve();
  steering?.listen(({ message, taken }) => {
    // One after the other, so that no two messages take the same name for a file.
    const text = stored.then(() => textOf(message));
    stored = text.catch(() => undefined);
    letters.push({ taken, text });
    comes();
  });

  return {
    hear(event) {
      switch (event.type) {
        case "agent_start":
          broken = false;
          return handOver(deps, letters);
        case "turn_end":
          // After a model call that failed Pi does not look at its queue: a retry comes, or the run ends.
          return hasBroken(event.message) ? undefined : handOver(deps, letters);
        case "agent_end":
          broken = hasBroken(event.messages.at(-1));
          return undefined;
        default:
          return undefined;
      }
    },
    async next() {
      for (;;) {
        if (broken) giveUp(letters);
        const [letter] = letters;
        if (letter !== undefined) return take(deps, letters, letter);
        if (steering === undefined || steering.close()) return undefined;
        await new Promise<void>((resolve) => {
          comes = resolve;
        });
      }
    },
  };
}

async function handOver(deps: SteeringDeps, letters: Letter[]): Promise<void> {
  const { session, log } = deps;
  for (let letter = letters[0]; letter !== undefined && session.isStreaming; letter = letters[0]) {
    try {
      await session.prompt(await letter.text, PROMPT_OPTIONS);
    } catch (error) {
      if (isA2aError(error, "CANCELLED")) return;
      // The prompt after this run will give it once more.
      log.fault("handing a message to a child session at work", error);
      return;
    }
    given(deps, letters);
  }
}

/** A run that failed has ended, whatever waits for it. */
function giveUp(letters: Letter[]): void {
  for (const { taken } of letters.splice(0)) taken();
}

async function take(deps: SteeringDeps, letters: Letter[], letter: Letter): Promise<string> {
  const text = await letter.text;
  given(deps, letters);
  return text;
}

function given({ answered }: SteeringDeps, letters: Letter[]): void {
  letters.shift()?.taken();
  answered();
}

function hasBroken(last: object | undefined): boolean {
  return last !== undefined && "stopReason" in last && (last.stopReason === "error" || last.stopReason === "aborted");
}
