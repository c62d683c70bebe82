// Owns a server's own owner file: it is there before the first line and before anything is taken over, says where the server listens,
// and is touched while it lives, for those who cannot look at its process.

import { join } from "node:path";
import type { Clock } from "../../core/platform/clock.ts";
import type { FilesPort } from "../../core/platform/files.ts";
import type { JournalFiles } from "../../core/platform/journal-files.ts";
import type { Log } from "../../core/platform/log.ts";
import type { Processes } from "../../core/platform/processes.ts";
import { ownerName } from "./journal-names.ts";
import { decodeOwner, encodeOwner } from "./owner-file.ts";

/** Three times in the time after which a file counts as untouched. */
const TOUCH_MS = 30_000;

export interface Ownership {
  /** Publishes the file, once; `again` when it is not there any more. Makes the folder. Throws FILE_FAILED. */
  publish(again: boolean): Promise<void>;
  announce(address: string): Promise<void>;
  /** Leaves the file as it is, for a server of the same process that takes the tasks over. */
  release(): void;
  /** Gives the tasks to whoever comes next; without any, nothing is left behind. */
  close(hasTasks: boolean): Promise<void>;
}

export interface OwnershipDeps {
  readonly folder: string;
  /** Names the files of this server; of `[a-z0-9-]`, and nobody else has it or had it. */
  readonly key: string;
  readonly secret: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly files: FilesPort;
  readonly journalFiles: JournalFiles;
  readonly processes: Processes;
}

export function createOwnership(deps: OwnershipDeps): Ownership {
  const { folder, key, secret, clock, log, files, journalFiles, processes } = deps;
  const path = join(folder, ownerName(key));
  let published = false;
  let address = "";
  const write = (closed: boolean): Promise<void> =>
    files.writeAtomic(path, encodeOwner({ ...processes.self, key, address, secret, closed }));
  /** Another server may have made one that says nothing in its place. */
  const isOurs = async (): Promise<boolean> =>
    decodeOwner((await files.readText(path).catch(() => undefined)) ?? "")?.secret === secret;
  const publish = async (again: boolean): Promise<void> => {
    if (published && (!again || ((await isOurs()) && (await journalFiles.touch(path))))) return;
    if (published)
      log.warn("the owner file of this server's tasks was gone; another server may have taken them for dead");
    await journalFiles.makeFolder(folder);
    await write(false);
    published = true;
  };
  const beat = clock.every(TOUCH_MS, () => {
    if (!published) return;
    publish(true).catch((error: unknown) => log.fault("touching the owner file", error));
  });
  return {
    publish,
    async announce(origin) {
      address = origin;
      if (!published) return;
      // Only other servers miss it: they read this one's tasks in its files.
      await write(false).catch((error: unknown) => void log.fault("writing the owner file", error));
    },
    release() {
      beat.stop();
      published = false;
    },
    async close(hasTasks) {
      beat.stop();
      if (!published) return;
      published = false;
      if (hasTasks) await write(true);
      else await files.remove(path);
    },
  };
}
