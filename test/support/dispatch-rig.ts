// Dispatched tasks on a fake clock, with a scripted client, a real folder, and a host that records what the person and the model hear.

import { createFilesPort } from "../../src/core/platform/files.ts";
import { createLog } from "../../src/core/platform/log.ts";
import type { CallResult, StatusRequest } from "../../src/outbound/client-types.ts";
import { createDispatchFiles, type DispatchFiles } from "../../src/pi/dispatched/dispatch-files.ts";
import { createDispatched, type Dispatched, type DispatchedDeps } from "../../src/pi/dispatched/dispatched.ts";
import type { Note } from "../../src/pi/ui/transcript-notes.ts";
import { callResult } from "./fake-client.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { NOTHING_KEPT } from "./kept-reply.ts";
import { nextTurn } from "./outbound-rig.ts";
import { createTempDir } from "./temp-dir.ts";

type Answer = (request: StatusRequest) => CallResult | Promise<CallResult>;

export interface DispatchSession {
  readonly dispatched: Dispatched;
  readonly notes: Note[];
  readonly toasts: string[];
  readonly woken: string[];
  readonly asked: StatusRequest[];
  /** What the host says now. */
  key: string | undefined;
  ui: boolean;
  idle: boolean;
  wake: "off" | "notify" | "model";
}

export interface DispatchRig {
  readonly clock: FakeClock;
  readonly files: DispatchFiles;
  readonly agentDir: string;
  /** How the peer answers now. */
  answer: Answer;
  /** A process with the agent folder of the rig. */
  session(
    fields?: Partial<Pick<DispatchSession, "key" | "ui" | "idle" | "wake">>,
    deps?: Partial<DispatchedDeps>,
  ): DispatchSession;
  /** Lets a second go by, and all that follows from it. */
  second(seconds?: number): Promise<void>;
  end(): Promise<void>;
}

export const working = (): CallResult => callResult({ state: "TASK_STATE_WORKING", text: "", detached: true });

export async function startDispatchRig(): Promise<DispatchRig> {
  const temp = await createTempDir();
  const clock = createFakeClock();
  const log = createLog(clock, () => "log-1");
  const work = trackWork();
  const files = tracked(createDispatchFiles(createFilesPort(), temp.path, clock.now), work);
  const sessions: DispatchSession[] = [];
  const rig: DispatchRig = {
    ...{ clock, files, agentDir: temp.path, answer: working },
    session(fields = {}, deps = {}) {
      const session: DispatchSession = {
        ...{ notes: [], toasts: [], woken: [], asked: [], key: "/sessions/a.jsonl", ui: true, idle: true },
        wake: "notify",
        ...fields,
        dispatched: createDispatched({
          ...{ clock, log, files, wake: () => session.wake, longestPauseMs: () => 30_000, redact: (text) => text },
          client: {
            async status(request) {
              session.asked.push(request);
              return rig.answer(request);
            },
          },
          replies: { keep: async () => NOTHING_KEPT },
          host: {
            sessionKey: () => session.key,
            hasUi: () => session.ui,
            isIdle: () => session.idle,
            wake: (text) => void session.woken.push(text),
            note: (note) => void session.notes.push(note),
            toast: (text) => void session.toasts.push(text),
          },
          ...deps,
        }),
      };
      sessions.push(session);
      return session;
    },
    async second(seconds = 1) {
      await work.settled();
      clock.tick(seconds * 1000);
      await work.settled();
    },
    async end() {
      for (const { dispatched } of sessions) dispatched.pause();
      await work.settled();
      await temp.remove();
    },
  };
  return rig;
}

interface Work {
  track<T>(promise: Promise<T>): Promise<T>;
  /** No operation on files is under way, and what followed from the last one has run. */
  settled(): Promise<void>;
}

function trackWork(): Work {
  let open = 0;
  return {
    async track(promise) {
      open += 1;
      try {
        return await promise;
      } finally {
        open -= 1;
      }
    },
    async settled() {
      for (let quiet = 0; quiet < 10; quiet = open === 0 ? quiet + 1 : 0) await nextTurn();
    },
  };
}

function tracked(files: DispatchFiles, { track }: Work): DispatchFiles {
  return {
    save: (task) => track(files.save(task)),
    claim: (task) => track(files.claim(task)),
    list: () => track(files.list()),
  };
}
