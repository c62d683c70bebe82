// Pi without a person: `pi -p` and `pi --mode json` end by themselves although the server was on.

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { EXTENSION, OFFLINE_ARGS, runPi } from "../support/e2e-host.ts";
import { call } from "../support/e2e-script.ts";
import { openStage, type Stage } from "../support/e2e-stage.ts";

describe("a Pi run that ends by itself", () => {
  let stage: Stage;

  before(() => {
    stage = openStage();
  });

  after(() => stage.close());

  for (const mode of [["-p"], ["--mode", "json"]]) {
    it(`pi ${mode.join(" ")} serves while it runs, exits with 0, and frees its port (L01)`, async () => {
      const port = await freePort();
      const env = { ...stage.env, A2A_SERVER_ENABLED: "true", A2A_PORT: String(port), A2A_PORT_FALLBACK: "0" };
      const prompt = `${call("bash", { command: `"${process.execPath}" -e '${fetchHealth(port)}'` })}`;
      const args = [...mode, ...OFFLINE_ARGS, "-e", EXTENSION, prompt];
      const { code, stdout, stderr } = await runPi(args, { cwd: stage.workspace("served").path, env });
      assert.equal(code, 0, stderr);
      assert.ok(stdout.includes("health 200"), `the server did not answer: ${stdout.slice(-600)}`);
      assert.equal(await isFree(port), true);
    });
  }
});

/** A program for `node -e` that prints what /health answers. */
function fetchHealth(port: number): string {
  return `require("http").get("http://127.0.0.1:${port}/health", (r) => { console.log("health " + r.statusCode); r.destroy(); })`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
