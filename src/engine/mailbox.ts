// Owns the messages that reach a task at work: in order, each once, and no end of the run between the moment in which one is
// accepted and the moment in which the run has it.

import type { Steering, SteeringMessage } from "../core/ports.ts";
import type { Message } from "../core/protocol/types.ts";

export interface Mailbox {
  /** The run's side. */
  readonly steering: Steering;
  /** False once the run has closed it: it is about to end, and takes nothing more. */
  isOpen(): boolean;
  /** Messages that the run has not taken. */
  waiting(): number;
  /** One more is accepted and on its way to the sink; gives the way to hand it out once it is stored. */
  expect(): (message: Message) => void;
}

export function createMailbox(): Mailbox {
  let open = true;
  let waiting = 0;
  let unheard: SteeringMessage[] = [];
  let hear: ((message: SteeringMessage) => void) | undefined;

  const letterOf = (message: Message): SteeringMessage => {
    let taken = false;
    return {
      message,
      taken() {
        if (!taken) waiting -= 1;
        taken = true;
      },
    };
  };
  return {
    isOpen: () => open,
    waiting: () => waiting,
    expect() {
      waiting += 1;
      return (message) => {
        const letter = letterOf(message);
        if (hear === undefined) unheard.push(letter);
        else hear(letter);
      };
    },
    steering: {
      listen(listener) {
        hear = listener;
        const earlier = unheard;
        unheard = [];
        for (const letter of earlier) listener(letter);
      },
      close() {
        if (waiting === 0) open = false;
        return !open;
      },
    },
  };
}
