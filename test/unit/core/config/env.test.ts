import assert from "node:assert/strict";
import { readEnvironment, readProxyVariables } from "../../../../src/core/config/env.ts";

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

describe("readProxyVariables", () => {
  it("copies the proxy variables in both spellings and nothing else", () => {
    const env = readProxyVariables({ HTTP_PROXY: "http://p:1", no_proxy: "a", A2A_PORT: "1", ALL_PROXY: "http://q" });
    assert.deepEqual(
      Object.entries(env).filter(([, value]) => value !== undefined),
      [
        ["HTTP_PROXY", "http://p:1"],
        ["no_proxy", "a"],
      ],
    );
  });
});
