// Project trust: the current Pi line loads what a project brings only when the person has trusted it; 0.73.1 knows no trust.

import { runPi } from "./e2e-host.ts";
import type { Stage } from "./e2e-stage.ts";

/** The arguments that trust the project of a session; none where the host knows no trust and loads everything. */
export async function trustArgs({ root, env }: Stage): Promise<readonly string[]> {
  const { stdout, stderr } = await runPi(["--help"], { cwd: root, env });
  return `${stdout}${stderr}`.includes("--approve") ? ["--approve"] : [];
}
