// Which extensions are this package itself. A child must never load it: it would start a second server, and loading all of it
// costs each child more than everything else together.

import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";

/** Tells, for the path of an extension's file, whether it lies in the package at `packageDir`, symbolic links resolved. */
export function ownPackageTest(packageDir: string): (extensionPath: string) => boolean {
  const root = dirname(realPath(join(packageDir, "package.json"))) + sep;
  return (path) => realPath(path).startsWith(root);
}

/** Module resolution follows symbolic links; a path that leads nowhere stays as it is. */
function realPath(path: string): string {
  try {
    return createRequire(import.meta.url).resolve(path);
  } catch {
    return path;
  }
}
