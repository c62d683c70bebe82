// Owns a server's end at a certain step of its own: it kills itself at a change of its files, before it, after it, or in the middle of a
// write. So the moments that a clock hardly ever hits are hit.

import { write, writeSync } from "node:fs";
import { promisify } from "node:util";
import type { AppendParts } from "../../src/core/platform/append-file.ts";
import type { FilesPort } from "../../src/core/platform/files.ts";
import type { JournalFiles } from "../../src/core/platform/journal-files.ts";

export interface DeathPoint {
  /** Which of the changes, from 1: of all, or of those since files are being made smaller for the first time. */
  readonly change: number;
  readonly since: "start" | "smaller";
  readonly when: "before" | "half" | "after";
}

export interface Death {
  readonly writes: Partial<AppendParts>;
  files(real: FilesPort): FilesPort;
  /** Notes when files are being made smaller, too. */
  journalFiles(real: JournalFiles): JournalFiles;
}

const writeLater = promisify(write);

/** undefined: it does not die by itself. */
export function createDeath(point: DeathPoint | undefined, note: (line: string) => void): Death {
  let changes = 0;
  let counting = point?.since === "start";
  const die = (): void => void process.kill(process.pid, "SIGKILL");
  const next = (): DeathPoint["when"] | undefined => (counting && ++changes === point?.change ? point.when : undefined);
  const around = async <T>(act: () => Promise<T>): Promise<T> => {
    const when = next();
    if (when === "before" || when === "half") die();
    const result = await act();
    if (when === "after") die();
    return result;
  };
  return {
    writes: {
      writeSync(fd, bytes, offset, length) {
        const when = next();
        if (when === "before") die();
        const written = writeSync(fd, bytes, offset, when === "half" ? Math.ceil(length / 2) : length);
        if (when !== undefined) die();
        return written;
      },
      async write(fd, bytes, offset, length) {
        const when = next();
        if (when === "before") die();
        const written = await writeLater(fd, bytes, offset, when === "half" ? Math.ceil(length / 2) : length, null);
        if (when !== undefined) die();
        return written;
      },
    },
    files: (real) => ({
      ...real,
      writeAtomic: (path, content) => around(() => real.writeAtomic(path, content)),
      remove: (path) => around(() => real.remove(path)),
    }),
    journalFiles: (real) => ({
      ...real,
      create(path) {
        if (path.endsWith(".tmp")) {
          note("smaller begun");
          counting ||= point !== undefined;
        }
        return real.create(path);
      },
      async rename(from, to) {
        const renamed = await around(() => real.rename(from, to));
        if (from.endsWith(".tmp")) note("smaller done");
        else if (renamed) note("adopted");
        return renamed;
      },
    }),
  };
}
