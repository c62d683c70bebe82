// What somebody waits for is waited for, also when nothing but our own timers is left to wait for: Pi ends itself then.

import assert from "node:assert/strict";
import { EXTENSION, OFFLINE_ARGS, runPi } from "../support/e2e-host.ts";
import { sendText } from "../support/e2e-http.ts";
import { appeared } from "../support/e2e-processes.ts";
import { hold } from "../support/e2e-script.ts";
import { openStage, type Stage, serve } from "../support/e2e-stage.ts";

describe("Pi with nothing to wait for but our timers", () => {
  let stage: Stage;
  beforeEach(() => {
    stage = openStage();
  });
  afterEach(() => stage.close());

  it("pi -p says why a call failed whose peer is not there, although the tries have pauses between them", async () => {
    const args = ["-p", ...OFFLINE_ARGS, "-e", EXTENSION, "/a2a-send http://127.0.0.1:9 hello"];
    const { code, stderr } = await runPi(args, { cwd: stage.workspace("calling").path, env: stage.env });
    assert.equal(code, 0);
    assert.match(stderr, /nothing listens there/);
  });

  it("tells a caller that its task failed when the session quits while a child's extension never ends", async () => {
    const folder = stage.workspace("served", { "deaf.ts": DEAF_IN_CHILDREN });
    const session = await stage.session(folder, { extensions: [folder.file("deaf.ts")] });
    const inbound = sendText(await serve(session), hold("shell"));
    await appeared(folder.file("shell"));
    assert.equal((await session.stop()).code, 0);
    assert.equal((await inbound).status.state, "TASK_STATE_FAILED");
  });
});

/** The host's own copy is loaded first and ends as it should. */
const DEAF_IN_CHILDREN = `export default (pi) => {
  const inChild = globalThis.firstLoaded === true;
  globalThis.firstLoaded = true;
  pi.on("session_shutdown", () => (inChild ? new Promise(() => undefined) : undefined));
};\n`;
