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

  it("name the tools that the host was left with", () => {
    const read = (...argv: string[]) => readLaunchArgs(argv, "/").tools;
    assert.deepEqual(read(), {});
    assert.deepEqual(read("-t", "bash", "--tools", "read, grep,"), { only: ["read", "grep"] });
    assert.deepEqual(read("--tools", ""), { only: [] });
    assert.deepEqual(read("-nbt"), { none: "builtin" });
    assert.deepEqual(read("--no-builtin-tools", "--no-tools"), { none: "all" });
    assert.deepEqual(read("-nt", "-xt", "bash,mcp__*"), { none: "all", without: ["bash", "mcp__*"] });
  });

  it("take the argument after a flag as its value, whatever it looks like", () => {
    assert.deepEqual(readLaunchArgs(["-e", "-nt", "--tools", "-ne"], "/"), {
      extensionPaths: ["/-nt"],
      discoverExtensions: true,
      tools: { only: ["-ne"] },
    });
  });

  it("are not confused by flags that are named like properties of objects", () => {
    assert.deepEqual(readLaunchArgs(["--constructor", "-nt", "--__proto__", "x"], "/").tools, { none: "all" });
  });
});
