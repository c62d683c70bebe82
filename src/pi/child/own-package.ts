// Which extensions are this package itself. A child must never load it: it would start a second server, and loading all of it
// costs each child more than everything else together. Other extensions in the same checkout are the project's own.

import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";

/** Where the package's own extension lies, as sources or as built. */
const CODE_FOLDERS = ["src", "dist"];

/** Tells, for the path of an extension's file, whether it is code of the package at `packageDir`, symbolic links resolved. */
export function ownPackageTest(packageDir: string): (extensionPath: string) => boolean {
  const root = dirname(realPath(join(packageDir, "package.json")));
  const folders = CODE_FOLDERS.map((name) => join(root, name) + sep);
  return (path) => {
    const real = realPath(path);
    return folders.some((folder) => real.startsWith(folder));
  };
}

/** Module resolution follows symbolic links; a path that leads nowhere stays as it is. */
function realPath(path: string): string {
  try {
    return createRequire(import.meta.url).resolve(path);
  } catch {
    return path;
  }
}
