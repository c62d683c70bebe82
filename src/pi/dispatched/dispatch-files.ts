// Owns the folder of the tasks that were dispatched and not reported yet: one small file each, written when a task is dispatched and
// removed by whoever reports it. All sessions of the agent folder share it; of two that want to report, one removes the file.

import { join } from "node:path";
import type { FilesPort } from "../../core/platform/files.ts";
import { takeFile } from "../../core/platform/take-file.ts";
import { dispatchFolder } from "./dispatch-folder.ts";
import { type DispatchedTask, decodeDispatched, dispatchKey, encodeDispatched } from "./dispatched-task.ts";

const NAME = /^[0-9a-f]{32}\.json$/;
const MAX_BYTES = 32 * 1024;
/** Beyond this the rest is not read; nobody dispatches so much by hand. */
const MAX_READ = 1000;
/** Nobody came for it: peers do not keep tasks for so long either. */
const KEEP_MS = 30 * 86_400_000;

export interface DispatchFiles {
  save(task: DispatchedTask): Promise<void>;
  /** True for the one caller that may report the task. */
  claim(task: Pick<DispatchedTask, "url" | "taskId">): Promise<boolean>;
  /** Oldest first. Files that are none of ours are passed over. */
  list(): Promise<readonly DispatchedTask[]>;
}

export function createDispatchFiles(files: FilesPort, agentDir: string, now: () => number): DispatchFiles {
  const folder = dispatchFolder(agentDir);
  const pathOf = (task: Pick<DispatchedTask, "url" | "taskId">): string => join(folder, `${dispatchKey(task)}.json`);
  const read = async (name: string): Promise<DispatchedTask | undefined> => {
    // One that is removed meanwhile, or cannot be read, is nobody's to show.
    const text = await files.readText(join(folder, name), { maxBytes: MAX_BYTES }).catch(() => undefined);
    const task = text === undefined ? undefined : decodeDispatched(text);
    return task !== undefined && name === `${dispatchKey(task)}.json` ? task : undefined;
  };
  return {
    async save(task) {
      await files.ensureDir(folder);
      await files.writeAtomic(pathOf(task), encodeDispatched(task));
    },
    claim: (task) => takeFile(pathOf(task)),
    async list() {
      const names = (await files.list(folder)).filter((name) => NAME.test(name)).slice(0, MAX_READ);
      const found: DispatchedTask[] = [];
      for (const name of names) {
        const task = await read(name);
        if (task === undefined) continue;
        if (now() - task.at > KEEP_MS) await files.remove(pathOf(task)).catch(() => undefined);
        else found.push(task);
      }
      return found.sort((a, b) => a.at - b.at);
    },
  };
}
