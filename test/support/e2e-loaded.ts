// What Pi has loaded of our TypeScript, told by the files in which it keeps what it has transformed.

import { readdirSync } from "node:fs";
import { join } from "node:path";

/** `<folder>-<file>` of each source that a Pi with this TMPDIR has transformed, such as `pi-services`. */
export function sourcesTransformedIn(tmp: string): ReadonlySet<string> {
  return new Set(readdirSync(join(tmp, "jiti")).map((name) => name.split(".")[0] ?? ""));
}
