// Owns removing a file that only one of many may remove: of all that try, in whatever process, one hears that it was the one.

import * as fs from "node:fs/promises";
import { attempt, orMissing } from "./files.ts";

/** True when this call removed the file, false when it was not there (any more). FILE_FAILED when it cannot be removed. */
export function takeFile(path: string): Promise<boolean> {
  return attempt("remove", path, async () => (await orMissing(fs.unlink(path).then(() => true))) ?? false);
}
