import assert from "node:assert/strict";
import { readEnvironment } from "../../../../src/core/config/env.ts";

describe("readEnvironment", () => {
  it("copies the variables of the settings table and nothing else", () => {
    const env = readEnvironment({ A2A_PORT: "1", A2A_SOMETHING: "x", HOME: "/root", PATH: "/bin" });
    assert.equal(env.A2A_PORT, "1");
    assert.deepEqual(
      Object.keys(env).filter((name) => !name.startsWith("A2A_")),
      [],
    );
    assert.equal(env.A2A_SOMETHING, undefined);
  });

  it("does not follow later changes", () => {
    const source: NodeJS.ProcessEnv = { A2A_PORT: "1" };
    const env = readEnvironment(source);
    source.A2A_PORT = "2";
    assert.equal(env.A2A_PORT, "1");
    assert.ok(Object.isFrozen(env));
  });

  it("reads the process by default", () => {
    assert.equal(readEnvironment().A2A_PORT, process.env.A2A_PORT);
  });
});
