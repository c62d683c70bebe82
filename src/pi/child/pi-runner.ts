// The TaskRunner over child sessions of Pi: one request, one child, one outcome. Whatever happens to the run, the child is
// closed before the outcome is given, and nothing is thrown. What callers sent as files is kept until their task has ended. All
// that a run says passes through redaction here.

import type { ToolDefinition } from "@mariozechner/pi-coding-agent";
import type { Settings } from "../../core/config/settings.ts";
import type { Clock } from "../../core/platform/clock.ts";
import { A2aError, isA2aError } from "../../core/platform/errors.ts";
import type { FilesPort } from "../../core/platform/files.ts";
import type { Ids } from "../../core/platform/ids.ts";
import type { Log } from "../../core/platform/log.ts";
import { abortSignalOf } from "../../core/platform/stop-signal.ts";
import type { RunOutcome, RunOutput, RunRequest, TaskRunner } from "../../core/ports.ts";
import type { Part } from "../../core/protocol/types.ts";
import { createRedaction, type Redaction } from "../../core/security/redact/redaction.ts";
import { redactRun } from "../../core/security/redact/run-output.ts";
import type { HostPort, HostSession } from "../host/host-port.ts";
import { abortable } from "./abortable.ts";
import { loadResources } from "./child-resources.ts";
import { type ChildSession, createChildSession } from "./child-session.ts";
import { createInbox, type Inbox } from "./inbox.ts";
import { ownTools } from "./own-tools.ts";
import type { StoredParts } from "./prompt-text.ts";
import { type Recalled, recall } from "./recall.ts";
import { runChild } from "./run-child.ts";
import { openTranscript, sweepTranscripts, type Transcript } from "./transcript.ts";
import { addUsage, NO_USAGE, type RunUsage, type Usage, usageMetadata } from "./usage.ts";

export interface PiRunnerDeps {
  readonly host: HostPort;
  readonly log: Log;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly files: FilesPort;
  readonly settings: () => Settings;
  /** By default one that knows no secret of the settings. */
  readonly redaction?: Redaction;
  /** Tools of the host that a child gets as far as the host's limits leave them. */
  readonly childTools?: (request: RunRequest) => readonly ToolDefinition[];
}

export interface PiRunner extends TaskRunner {
  /** The task has ended, perhaps while it waited for its caller: what was kept for its next turn goes. */
  taskEnded(taskId: string): void;
  /** What all runs so far took together, canceled ones too. */
  usage(): Usage;
  /** Resolves when nothing of ended tasks is left to be removed. */
  idle(): Promise<void>;
}

type Emit = (output: RunOutput) => void;
type RunnerParts = PiRunnerDeps & {
  readonly inbox: Inbox;
  readonly redaction: Redaction;
  readonly spent: (usage: Usage) => void;
};

/** Old transcripts and files are removed once, in the background. */
export function createPiRunner(deps: PiRunnerDeps): PiRunner {
  const { log } = deps;
  const inbox = createInbox(deps);
  const redaction = deps.redaction ?? createRedaction();
  let total = NO_USAGE;
  const spent = (usage: Usage): void => {
    total = addUsage(total, usage);
  };
  const parts = { ...deps, inbox, redaction, spent };
  const folder = (): string | undefined => {
    const host = deps.host.current();
    return host === undefined ? undefined : workspaceOf(deps, host);
  };
  sweep(parts).catch((error: unknown) => log.fault("removing old transcripts and files", error));
  return {
    steerable: true,
    async run(request, emit) {
      const redacted = redactRun(redaction, emit);
      redacted.emit({ kind: "working" });
      const outcome = redacted.outcome(await outcomeOf(parts, request, redacted.emit));
      if (!asks(outcome)) await inbox.discard(request.taskId, request.resumes ? folder() : undefined);
      return outcome;
    },
    taskEnded: (taskId) => void inbox.discard(taskId, folder()),
    usage: () => total,
    idle: () => inbox.idle(),
  };
}

async function outcomeOf(parts: RunnerParts, request: RunRequest, emit: Emit): Promise<RunOutcome> {
  try {
    return await runTask(parts, request, emit);
  } catch (error) {
    if (request.signal.aborted) return { kind: "canceled" };
    return { kind: "failed", reason: reasonOf(error, parts.log) };
  }
}

function asks({ kind }: RunOutcome): boolean {
  return kind === "input-required" || kind === "auth-required";
}

async function runTask(deps: RunnerParts, request: RunRequest, emit: Emit): Promise<RunOutcome> {
  const { signal } = request;
  const host = deps.host.current();
  if (host === undefined) throw new A2aError("SESSION_UNAVAILABLE", "no Pi session is ready to run the task");
  if (host.model === undefined) {
    const hint = "Choose one there with /model, then try again.";
    throw new A2aError("SESSION_UNAVAILABLE", "the Pi session has no model", { hint });
  }
  const opening = openChild(deps, request, host, emit);
  const opened = await abortable(opening, signal).catch((error: unknown) => {
    // Opening goes on by itself; what comes of it is closed.
    void opening.then((late) => closeBoth(late, deps.log)).catch(() => undefined);
    throw error;
  });
  try {
    const { child, transcript, ...ready } = opened;
    await abortable(child.start(), signal);
    const spent = (usage: RunUsage): void => {
      deps.spent(usage);
      // Of a run that was stopped it counts as long as the engine waits for it.
      emit({ kind: "metadata", metadata: usageMetadata(request.metadata, usage) });
    };
    return await runChild(deps, child, { ...ready, request, emit, spent });
  } finally {
    await closeBoth(opened, deps.log);
  }
}

interface OpenChild {
  readonly child: ChildSession;
  readonly transcript: Transcript;
  readonly stored: StoredParts;
  readonly forgets: false | Recalled;
  readonly receive: (parts: readonly Part[]) => Promise<StoredParts>;
  /** Grows while the child runs. */
  readonly questions: string[];
}

async function openChild(deps: RunnerParts, request: RunRequest, host: HostSession, emit: Emit): Promise<OpenChild> {
  const { clock, settings, inbox, childTools } = deps;
  const { taskId, previousTaskId, resumes, message } = request;
  const signal = abortSignalOf(request.signal);
  const cwd = workspaceOf(deps, host);
  await needFolder(deps.files, cwd);
  const receive = (parts: readonly Part[]): Promise<StoredParts> => inbox.receive({ taskId, cwd, parts, signal });
  const stored = await receive(message.parts);
  const opening = openTranscript(deps, {
    taskId,
    ...(previousTaskId === undefined ? {} : { previousTaskId }),
    resumes,
    keep: settings().server.childTranscripts,
    cwd,
    agentDir: host.agentDir,
    now: clock.now(),
  });
  // While the disk is at work.
  const loading = loadResources(cwd, host, deps.log);
  loading.catch(() => undefined);
  const transcript = await opening;
  const questions: string[] = [];
  try {
    const forgets = transcript.forgets && (await recall(request));
    const own = ownTools(deps, { cwd, signal, emit, ask: (question) => void questions.push(question) });
    const lent = childTools?.(request) ?? [];
    const conversation = transcript.manager;
    const child = await createChildSession(deps, { host, cwd, resources: await loading, conversation, own, lent });
    return { child, transcript, stored, receive, questions, forgets };
  } catch (error) {
    await transcript.tidy();
    throw error;
  }
}

function workspaceOf({ settings }: PiRunnerDeps, host: HostSession): string {
  return settings().server.workspace || host.cwd;
}

/** Without its folder every tool would fail, and the model would work on in vain. */
async function needFolder(files: FilesPort, cwd: string): Promise<void> {
  if ((await files.stat(cwd))?.kind === "folder") return;
  const hint = "Its operator has to create it, or to change a2a.server.workspace.";
  throw new A2aError("SESSION_UNAVAILABLE", "this agent's workspace is not a folder that exists", { hint });
}

/** Never throws: what cannot be cleaned up does not change the outcome. */
async function closeBoth({ child, transcript }: Pick<OpenChild, "child" | "transcript">, log: Log): Promise<void> {
  await child.close();
  await transcript.tidy().catch((error: unknown) => log.fault("tidying up a transcript", error));
}

async function sweep(parts: RunnerParts): Promise<void> {
  const { files, clock, settings, inbox } = parts;
  const host = parts.host.current();
  if (host === undefined) return;
  try {
    await sweepTranscripts(files, host.agentDir, settings().server.childTranscriptRetentionDays, clock.now());
  } finally {
    await inbox.sweep(workspaceOf(parts, host), clock.now());
  }
}

/** What a caller can understand; anything else is about this machine and stays in the log. */
function reasonOf(error: unknown, log: Log): string {
  if (isA2aError(error, "SESSION_UNAVAILABLE")) return `${error.message}. ${error.hint}`;
  return `the child session failed unexpectedly (log id ${log.fault("running a child session", error)})`;
}
