import assert from "node:assert/strict";
import { hasOurVariables, readEnvironment, readProxyVariables, readVariable } from "../../../../src/core/config/env.ts";
import { VARIABLE_NAMES } from "../../../../src/core/config/env-layer.ts";

describe("readEnvironment", () => {
  it("copies the variables of that name and nothing else", () => {
    const env = readEnvironment(["A2A_PORT", "A2A_HOST"], { A2A_PORT: "1", A2A_SOMETHING: "x", HOME: "/root" });
    assert.deepEqual(env, { A2A_PORT: "1", A2A_HOST: undefined });
  });

  it("does not follow later changes", () => {
    const source: NodeJS.ProcessEnv = { A2A_PORT: "1" };
    const env = readEnvironment(["A2A_PORT"], source);
    source.A2A_PORT = "2";
    assert.equal(env.A2A_PORT, "1");
    assert.ok(Object.isFrozen(env));
  });

  it("reads the process by default", () => {
    assert.equal(readEnvironment(["PATH"]).PATH, process.env.PATH);
  });
});

describe("hasOurVariables", () => {
  it("is true for every variable that could be a setting, also for one that is blank or not known", () => {
    for (const name of [...VARIABLE_NAMES, "A2A_SOMETHING", "a2a_port"])
      assert.ok(hasOurVariables({ [name]: "" }), name);
    assert.ok(!hasOurVariables({ PATH: "/bin", MY_A2A_TOKEN: "t" }));
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
