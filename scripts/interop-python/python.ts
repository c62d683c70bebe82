// Finds the Python that makes the environments of the peers.

import { spawnSync } from "node:child_process";

/** What the pinned packages need. */
const OLDEST = [3, 11] as const;
const PROBE = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])";

export type Found = { readonly python: string; readonly version: string } | { readonly missing: string };

/** PI_A2A_PYTHON names one, else the usual names are tried. `missing` says why there is none. */
export function findPython(): Found {
  const named = process.env.PI_A2A_PYTHON;
  const reasons: string[] = [];
  for (const python of named === undefined ? ["python3", "python"] : [named]) {
    const { error, status, stdout, stderr } = spawnSync(python, ["-c", PROBE], { encoding: "utf8", timeout: 30_000 });
    const version = (stdout ?? "").trim();
    if (error !== undefined) reasons.push(`${python} does not start (${error.message})`);
    else if (status !== 0) reasons.push(`${python}: ${(stderr ?? "").trim().split("\n").at(-1)}`);
    else if (isTooOld(version)) reasons.push(`${python} is ${version}, older than ${OLDEST.join(".")}`);
    else return { python, version };
  }
  return { missing: reasons.join("; ") };
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}
