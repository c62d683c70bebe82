// Owns what is kept of a peer's reply beside its text in the tool result: the whole text when that is longer than a result may be,
// in `<agentDir>/a2a_replies/`, 0600, and the files and data that came with it.

import { join } from "node:path";
import type { FilesPort } from "../../core/platform/files.ts";
import type { Ids } from "../../core/platform/ids.ts";
import type { Log } from "../../core/platform/log.ts";
import type { CallResult } from "../../outbound/client-types.ts";
import { limitOutput } from "../text/limit-output.ts";
import { createReceivedFiles, type Received } from "./received-files.ts";

export interface KeptReply {
  /** The file with all of the text; absent when the text is short, or could not be written. */
  readonly textPath?: string;
  readonly received: Received;
}

export interface ReplyStore {
  /** Never throws: a reply that cannot be kept is still shown as far as it goes. */
  keep(result: CallResult): Promise<KeptReply>;
}

export interface ReplyStoreDeps {
  readonly files: FilesPort;
  readonly ids: Ids;
  readonly log: Log;
}

export function createReplyStore(deps: ReplyStoreDeps, agentDir: string): ReplyStore {
  const received = createReceivedFiles(deps.files, agentDir);
  return {
    async keep(result) {
      const textPath = await keepLongText(deps, agentDir, result.text);
      return { received: await received.save(result), ...(textPath === undefined ? {} : { textPath }) };
    },
  };
}

async function keepLongText({ files, ids, log }: ReplyStoreDeps, agentDir: string, text: string) {
  if (!limitOutput(text).cut) return undefined;
  const folder = join(agentDir, "a2a_replies");
  const path = join(folder, `reply-${ids.token()}.txt`);
  try {
    await files.ensureDir(folder);
    await files.writeAtomic(path, text);
    return path;
  } catch (error) {
    log.fault("keeping a long reply", error);
    return undefined;
  }
}
