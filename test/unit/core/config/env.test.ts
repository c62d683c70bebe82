import assert from "node:assert/strict";
import { readEnvironment, readProxyVariables, readVariable } from "../../../../src/core/config/env.ts";

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

describe("readVariable", () => {
  it("gives any variable as it is now, and nothing for a name that every object has", () => {
    const env: NodeJS.ProcessEnv = { MY_TOKEN: "t" };
    assert.equal(readVariable("MY_TOKEN", env), "t");
    env.MY_TOKEN = "u";
    assert.equal(readVariable("MY_TOKEN", env), "u");
    assert.equal(readVariable("constructor", env), undefined);
    assert.equal(readVariable("PATH"), process.env.PATH);
  });
});
