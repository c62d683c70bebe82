import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createProcesses } from "../../../../src/core/platform/processes.ts";

describe("processes", () => {
  const processes = createProcesses();
  const { self } = processes;

  it("know that this one lives", () => {
    assert.equal(self.pid, process.pid);
    assert.equal(processes.liveness(self), "alive");
    assert.equal(createProcesses().liveness({ ...self }), "alive");
  });

  it("know that one has ended, and that its number was given to another one", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    assert.equal(processes.liveness({ ...self, pid: child.pid ?? 0 }), "dead");
    if (process.platform === "linux") assert.equal(processes.liveness({ ...self, start: "1" }), "dead");
  });

  it("take everything from before a reboot for dead", () => {
    assert.equal(processes.liveness({ ...self, boot: "another" }), "dead");
  });

  it("judge nothing by a number where they cannot look", () => {
    assert.equal(processes.liveness({ ...self, namespace: "pid:[1]" }), "unknown");
    assert.equal(processes.liveness({ ...self, machine: "elsewhere", boot: "another" }), "unknown");
  });

  it("take a process of which only the number is known for alive while there is one", () => {
    assert.equal(processes.liveness({ ...self, start: "" }), "alive");
    // Of another user, perhaps: that it may not be asked tells that it lives.
    assert.equal(processes.liveness({ ...self, pid: 1, start: "" }), "alive");
  });
});
