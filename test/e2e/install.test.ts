// The package as a person installs it: `pi install ./` in the checkout, then a session with that agent folder.

import assert from "node:assert/strict";
import { OFFLINE_ARGS, piHost, REPOSITORY, runPi } from "../support/e2e-host.ts";
import { openStage } from "../support/e2e-stage.ts";
import { startPi } from "../support/pi-process.ts";

describe("pi install ./", () => {
  it("makes every session of that agent folder offer the tools and commands", async () => {
    const stage = openStage();
    try {
      const installed = await runPi(["install", "./"], { cwd: REPOSITORY, env: stage.env });
      assert.equal(installed.code, 0, installed.stderr);
      const cwd = stage.workspace("anywhere").path;
      const pi = await startPi({ host: piHost(), args: OFFLINE_ARGS, cwd, env: stage.env });
      try {
        const { commands } = (await pi.request("get_commands")) as { commands: { name: string }[] };
        const names = commands.map(({ name }) => name).filter((name) => name.startsWith("a2a-"));
        for (const name of ["a2a-discover", "a2a-help", "a2a-send", "a2a-server", "a2a-status"]) {
          assert.ok(names.includes(name), `${name} is missing in ${names.join(", ")}`);
        }
        assert.match((await pi.prompt("about")).text, /a2a_call, a2a_cancel, a2a_discover, a2a_status/);
      } finally {
        assert.equal((await pi.stop()).code, 0);
      }
    } finally {
      await stage.close();
    }
  });
});
