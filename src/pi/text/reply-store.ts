// Owns the files that keep a peer's reply when it is longer than a tool result may be: `<agentDir>/a2a_replies/`, 0600.

import { join } from "node:path";
import type { FilesPort } from "../../core/platform/files.ts";
import type { Ids } from "../../core/platform/ids.ts";
import { limitOutput } from "./limit-output.ts";

export interface ReplyStore {
  /** The path of a file with all of `text`, or undefined when it is short enough to be shown whole. */
  keepIfLong(text: string): Promise<string | undefined>;
}

export function createReplyStore(files: FilesPort, ids: Ids, agentDir: string): ReplyStore {
  return {
    async keepIfLong(text) {
      if (!limitOutput(text).cut) return undefined;
      const folder = join(agentDir, "a2a_replies");
      const path = join(folder, `reply-${ids.token()}.txt`);
      await files.ensureDir(folder);
      await files.writeAtomic(path, text);
      return path;
    },
  };
}
