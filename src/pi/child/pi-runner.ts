// The TaskRunner over child sessions of Pi: one request, one child, one outcome. Whatever happens to the run, the child is
// closed before the outcome is given, and nothing is thrown.

import type { ToolDefinition } from "@mariozechner/pi-coding-agent";
import type { Settings } from "../../core/config/settings.ts";
import type { Clock } from "../../core/platform/clock.ts";
import { A2aError, isA2aError } from "../../core/platform/errors.ts";
import type { FilesPort } from "../../core/platform/files.ts";
import type { Log } from "../../core/platform/log.ts";
import type { RunOutcome, RunOutput, RunRequest, TaskRunner } from "../../core/ports.ts";
import type { HostPort, HostSession } from "../host/host-port.ts";
import { abortable } from "./abortable.ts";
import { type ChildSession, createChildSession } from "./child-session.ts";
import { runChild } from "./run-child.ts";
import { openTranscript, sweepTranscripts, type Transcript } from "./transcript.ts";

export interface PiRunnerDeps {
  readonly host: HostPort;
  readonly log: Log;
  readonly clock: Clock;
  readonly files: FilesPort;
  readonly settings: () => Settings;
  /** Tools that a child gets besides Pi's and the extensions'. */
  readonly childTools?: (request: RunRequest) => readonly ToolDefinition[];
}

type Emit = (output: RunOutput) => void;

/** Old transcripts are removed once, in the background. */
export function createPiRunner(deps: PiRunnerDeps): TaskRunner {
  const { log } = deps;
  sweep(deps).catch((error: unknown) => log.fault("removing old transcripts", error));
  return {
    async run(request, emit) {
      emit({ kind: "working" });
      try {
        return await runTask(deps, request, emit);
      } catch (error) {
        if (request.signal.aborted) return { kind: "canceled" };
        return { kind: "failed", reason: reasonOf(error, log) };
      }
    },
  };
}

async function runTask(deps: PiRunnerDeps, request: RunRequest, emit: Emit): Promise<RunOutcome> {
  const { signal } = request;
  const host = deps.host.current();
  if (host === undefined) throw new A2aError("SESSION_UNAVAILABLE", "no Pi session is ready to run the task");
  if (host.model === undefined) {
    const hint = "Choose one there with /model, then try again.";
    throw new A2aError("SESSION_UNAVAILABLE", "the Pi session has no model", { hint });
  }
  const opening = openChild(deps, request, host);
  const { child, transcript } = await abortable(opening, signal).catch((error: unknown) => {
    // Opening goes on by itself; what comes of it is closed.
    void opening.then((late) => closeBoth(late, deps.log)).catch(() => undefined);
    throw error;
  });
  try {
    await abortable(child.start(), signal);
    return await runChild(deps, child, { request, forgets: transcript.forgets, emit });
  } finally {
    await closeBoth({ child, transcript }, deps.log);
  }
}

interface OpenChild {
  readonly child: ChildSession;
  readonly transcript: Transcript;
}

async function openChild(deps: PiRunnerDeps, request: RunRequest, host: HostSession): Promise<OpenChild> {
  const { clock, settings, childTools } = deps;
  const { taskId, previousTaskId, resumes } = request;
  const { workspace, childTranscripts } = settings().server;
  const cwd = workspace || host.cwd;
  const transcript = await openTranscript(deps, {
    taskId,
    ...(previousTaskId === undefined ? {} : { previousTaskId }),
    resumes,
    keep: childTranscripts,
    cwd,
    agentDir: host.agentDir,
    now: clock.now(),
  });
  const tools = childTools?.(request) ?? [];
  try {
    const child = await createChildSession(deps, { host, cwd, conversation: transcript.manager, tools });
    return { child, transcript };
  } catch (error) {
    await transcript.tidy();
    throw error;
  }
}

/** Never throws: what cannot be cleaned up does not change the outcome. */
async function closeBoth({ child, transcript }: OpenChild, log: Log): Promise<void> {
  await child.close();
  await transcript.tidy().catch((error: unknown) => log.fault("tidying up a transcript", error));
}

async function sweep({ host, files, clock, settings }: PiRunnerDeps): Promise<void> {
  const agentDir = host.current()?.agentDir;
  if (agentDir === undefined) return;
  await sweepTranscripts(files, agentDir, settings().server.childTranscriptRetentionDays, clock.now());
}

/** What a caller can understand; anything else is about this machine and stays in the log. */
function reasonOf(error: unknown, log: Log): string {
  if (isA2aError(error, "SESSION_UNAVAILABLE")) return `${error.message}. ${error.hint}`;
  return `the child session failed unexpectedly (log id ${log.fault("running a child session", error)})`;
}
