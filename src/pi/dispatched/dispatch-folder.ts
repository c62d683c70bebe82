// Owns where the tasks lie that were dispatched and not reported yet, and the quick look whether there are any.

import { join } from "node:path";
import type { FilesPort } from "../../core/platform/files.ts";

export function dispatchFolder(agentDir: string): string {
  return join(agentDir, "a2a_dispatched");
}

/** Whether there may be such a task, of this session or of another one. */
export async function mayHaveDispatched(files: Pick<FilesPort, "list">, agentDir: string): Promise<boolean> {
  return (await files.list(dispatchFolder(agentDir))).length > 0;
}
