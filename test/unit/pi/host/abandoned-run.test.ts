import assert from "node:assert/strict";
import { createLog } from "../../../../src/core/platform/log.ts";
import { stopAbandonedRun } from "../../../../src/pi/host/abandoned-run.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { createFakePi, type FakePi } from "../../../support/fake-pi.ts";

describe("the run of a session that is replaced", () => {
  it("is stopped while a call of ours waits in it (L03)", async () => {
    for (const reason of ["new", "resume", "fork"]) {
      const pi = loaded();
      await pi.emit("tool_execution_start", { toolName: "a2a_call", toolCallId: "1" });
      assert.equal(await abortsOf(pi, reason), 1, reason);
    }
  });

  it("is left to the host when nothing of ours runs in it", async () => {
    const pi = loaded();
    await pi.emit("tool_execution_start", { toolName: "bash", toolCallId: "1" });
    await pi.emit("tool_execution_start", { toolName: "a2a_call", toolCallId: "2" });
    await pi.emit("tool_execution_end", { toolName: "a2a_call", toolCallId: "2" });
    assert.equal(await abortsOf(pi, "new"), 0);
  });

  it("goes on over a reload, and is left to the client at quit", async () => {
    for (const reason of ["reload", "quit"]) {
      const pi = loaded();
      await pi.emit("tool_execution_start", { toolName: "a2a_status", toolCallId: "1" });
      assert.equal(await abortsOf(pi, reason), 0, reason);
    }
  });
});

function loaded(): FakePi {
  const pi = createFakePi();
  stopAbandonedRun(
    pi.api,
    createLog(createFakeClock(), () => "id"),
  );
  return pi;
}

async function abortsOf(pi: FakePi, reason: string): Promise<number> {
  let aborts = 0;
  const abort = (): void => {
    aborts += 1;
  };
  await pi.emit("session_shutdown", { reason }, { abort });
  return aborts;
}
