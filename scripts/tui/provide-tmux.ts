// Sees to it that there is a tmux: the one that is there, or Debian's package where we may install it.

import { spawnSync } from "node:child_process";

const INSTALL_MS = 180_000;

/** Undefined when tmux can be run, else why there is none. */
export function provideTmux(say: (line: string) => void): string | undefined {
  if (runs("tmux", ["-V"])) return undefined;
  if (process.getuid?.() !== 0) return "it is not installed and we may not install it (not root)";
  if (!runs("apt-get", ["--version"])) return "it is not installed and there is no apt-get to install it with";
  say("installing tmux");
  const install = ["install", "--yes", "--no-install-recommends", "tmux"];
  // The lists may be missing or old.
  if (aptGet(install) !== undefined) aptGet(["update"]);
  const failed = runs("tmux", ["-V"]) ? undefined : aptGet(install);
  return failed === undefined ? undefined : `apt-get could not install it: ${failed}`;
}

/** Undefined on success, else the last thing that apt-get said. */
function aptGet(args: readonly string[]): string | undefined {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, stderr } = spawnSync("apt-get", args, { env, encoding: "utf8", timeout: INSTALL_MS });
  return status === 0 ? undefined : (stderr ?? "").trim().split("\n").at(-1) || `exit code ${status}`;
}

function runs(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}
