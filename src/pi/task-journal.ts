// Owns where this session keeps the tasks that others hand to it: <agentDir>/a2a_tasks. Only a server opens it.

import { join } from "node:path";
import type { Settings } from "../core/config/settings.ts";
import type { Clock } from "../core/platform/clock.ts";
import type { FilesPort } from "../core/platform/files.ts";
import type { Ids } from "../core/platform/ids.ts";
import { createJournalFiles } from "../core/platform/journal-files.ts";
import type { Log } from "../core/platform/log.ts";
import { createProcesses } from "../core/platform/processes.ts";
import type { Engine } from "../engine/engine-types.ts";
import { type Journal, openJournal } from "../engine/journal/journal.ts";
import { transcriptNames } from "./child/transcript.ts";
import type { HostPort } from "./host/host-port.ts";

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
  /** Gives the engine what there is from before; interrupted tasks name the transcript of their run. */
  readonly recover: (engine: Engine) => Promise<void>;
}

/** What cannot be read or written is in the log; new tasks are refused as long as they cannot be kept. */
export async function openTaskJournal(deps: TaskJournalDeps, agentDir: string): Promise<TaskJournal> {
  const { clock, ids, log, files, settings } = deps;
  const { journal, recovered, problems } = await openJournal({
    folder: join(agentDir, "a2a_tasks"),
    key: `${process.pid}-${clock.now().toString(36)}-${ids.token().slice(0, 8)}`,
    secret: `${ids.token()}${ids.token()}`,
    ...{ clock, log, files },
    journalFiles: createJournalFiles(clock),
    processes: createProcesses(),
    sync: () => settings().server.durability === "disk",
  });
  for (const problem of problems) log.warn(`kept tasks: ${problem}`);
  const names = recovered.open.length === 0 ? new Map<string, string>() : await namesOrNone(deps, agentDir);
  return { journal, recover: (engine) => engine.recover(recovered, (taskId) => names.get(taskId)) };
}

async function namesOrNone({ files, log }: TaskJournalDeps, agentDir: string): Promise<ReadonlyMap<string, string>> {
  try {
    return await transcriptNames(files, agentDir);
  } catch (error) {
    log.fault("listing transcripts", error);
    return new Map();
  }
}
