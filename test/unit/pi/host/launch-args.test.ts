import assert from "node:assert/strict";
import { readLaunchArgs } from "../../../../src/pi/host/launch-args.ts";

describe("launch arguments", () => {
  it("name the extensions given on the command line, files as absolute paths", () => {
    const args = readLaunchArgs(["node", "cli.js", "-e", "./ext", "--extension", "npm:x", "-e", "/abs/y.ts"], "/work");
    assert.deepEqual(args.extensionPaths, ["/work/ext", "npm:x", "/abs/y.ts"]);
    assert.equal(args.discoverExtensions, true);
  });

  it("say when discovery was turned off", () => {
    assert.equal(readLaunchArgs(["-ne"], "/").discoverExtensions, false);
    assert.equal(readLaunchArgs(["--no-extensions"], "/").discoverExtensions, false);
  });

  it("do not fall over a flag without its value", () => {
    assert.deepEqual(readLaunchArgs(["-e"], "/").extensionPaths, []);
  });
});
