// `npm run test:interop:gemini`: the real A2A server of the Gemini CLI, on a scripted model, as peer of our client. Exits with 0 and
// the reason where it cannot be installed, with 1 when a cell fails.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../test/support/free-port.ts";
import type { Cell } from "./interop/cell.ts";
import { startProgram } from "./interop/program.ts";
import { conclude } from "./interop/table.ts";
import { startFakeModel } from "./interop-gemini/fake-model.ts";
import { geminiCells } from "./interop-gemini/gemini-cells.ts";
import { GEMINI_VERSION, installGemini } from "./interop-gemini/install.ts";
import { RegistryAway } from "./next-host/npm.ts";

async function main(): Promise<number> {
  const program = await installGemini((line) => console.log(line));
  const start = Date.now();
  const home = mkdtempSync(join(tmpdir(), "pi-a2a-gemini-"));
  const model = await startFakeModel();
  try {
    return conclude(await run(program, home, model.origin), Date.now() - start);
  } finally {
    await model.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

async function run(program: string, home: string, model: string): Promise<readonly Cell[]> {
  const workspace = join(home, "workspace");
  mkdirSync(workspace);
  const port = await freePort();
  const server = startProgram(process.execPath, [program], {
    cwd: workspace,
    readyLine: /Agent Server started on (http\S+)/,
    env: {
      HOME: home,
      GEMINI_API_KEY: "none",
      GOOGLE_GEMINI_BASE_URL: model,
      CODER_AGENT_PORT: String(port),
      CODER_AGENT_WORKSPACE_PATH: workspace,
    },
  });
  try {
    return await geminiCells(`Gemini CLI ${GEMINI_VERSION}`, await server.ready);
  } finally {
    await server.stop();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof RegistryAway) console.log(`skipped: the Gemini CLI cannot be installed: ${error.message}`);
  else {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
