// Owns where this session keeps the tasks that others hand to it: <agentDir>/a2a_tasks. Only a server opens it.

import { join } from "node:path";
import type { Settings } from "../core/config/settings.ts";
import { type Clock, isoTime } from "../core/platform/clock.ts";
import type { FilesPort } from "../core/platform/files.ts";
import type { Ids } from "../core/platform/ids.ts";
import { createJournalFiles } from "../core/platform/journal-files.ts";
import type { Log } from "../core/platform/log.ts";
import { createProcesses } from "../core/platform/processes.ts";
import type { Engine } from "../engine/engine-types.ts";
import { type Journal, openJournal } from "../engine/journal/journal.ts";
import type { RecoveredTasks } from "../engine/recovered-tasks.ts";
import { createSiblings, type Siblings } from "../engine/siblings/siblings.ts";
import { transcriptNames } from "./child/transcript.ts";
import type { HostPort } from "./host/host-port.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export interface TaskJournalDeps {
  readonly host: HostPort;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly files: FilesPort;
  readonly settings: () => Settings;
}

export interface TaskJournal {
  readonly journal: Journal;
  /** With it other sessions of this user ask for tasks. Never to be shown. */
  readonly secret: string;
  /** What of the tasks from before could not be read or taken over, and why no new ones can be kept now; for people. */
  readonly keptProblems: () => readonly string[];
  /** Gives the engine what there is from before; interrupted tasks name the transcript of their run. */
  readonly recover: (engine: Engine) => Promise<void>;
  /** Gives it what the journals of these keys have left, which were released by this process. */
  readonly takeOver: (engine: Engine, released: ReadonlySet<string>) => Promise<void>;
  /** The tasks of the other sessions of this agent folder; the engine gets those of dead ones. */
  readonly openSiblings: (options: SiblingOptions) => Siblings;
}

export interface SiblingOptions {
  readonly engine: Engine;
  /** Keys of further journals of this process. */
  readonly others: () => ReadonlySet<string>;
  /** The engine has tasks that another session has left. */
  readonly onTakeOver: () => Promise<void>;
}

/** What cannot be read or written is in the log, too; new tasks are refused as long as they cannot be kept. */
export async function openTaskJournal(deps: TaskJournalDeps, agentDir: string): Promise<TaskJournal> {
  const { clock, ids, log, files, settings } = deps;
  const folder = join(agentDir, "a2a_tasks");
  const ports = { folder, clock, log, files, journalFiles: createJournalFiles(clock), processes: createProcesses() };
  const secret = `${ids.token()}${ids.token()}`;
  const { journal, recovered, problems } = await openJournal({
    ...ports,
    key: `${process.pid}-${clock.now().toString(36)}-${ids.token().slice(0, 8)}`,
    secret,
    sync: () => settings().server.durability === "disk",
  });
  for (const problem of problems) log.warn(`kept tasks: ${problem}`);
  const found = `found when it started, ${isoTime(clock.now()).slice(0, 16).replace("T", " ")} UTC`;
  const give: Give = async (engine, tasks) => {
    const names = tasks.open.length === 0 ? new Map<string, string>() : await namesOrNone(deps, agentDir);
    await engine.recover(tasks, (taskId) => names.get(taskId));
  };
  return {
    ...{ journal, secret },
    keptProblems() {
      const now = journal.problem();
      const lasting = now === undefined ? [] : [`${now}; new tasks are refused while this lasts`];
      return [...lasting, ...problems.map((problem) => `${problem} (${found})`)];
    },
    recover: recoverOnce(give, recovered),
    async takeOver(engine, released) {
      await journal.adopt((tasks) => give(engine, tasks), released);
    },
    openSiblings: ({ engine, others, onTakeOver }) =>
      createSiblings({
        ...{ ...ports, journal, others, retentionMs: () => settings().server.taskRetentionDays * DAY_MS },
        async take(tasks) {
          await give(engine, tasks);
          await onTakeOver();
        },
      }),
  };
}

type Give = (engine: Engine, tasks: RecoveredTasks) => Promise<void>;

/** What there was is large, and only this function keeps it: it goes when this goes. */
function recoverOnce(give: Give, recovered: RecoveredTasks): TaskJournal["recover"] {
  return (engine) => give(engine, recovered);
}

async function namesOrNone({ files, log }: TaskJournalDeps, agentDir: string): Promise<ReadonlyMap<string, string>> {
  try {
    return await transcriptNames(files, agentDir);
  } catch (error) {
    log.fault("listing transcripts", error);
    return new Map();
  }
}
