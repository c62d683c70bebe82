// Many calls of one client at the same time.

import assert from "node:assert/strict";
import { failure, startRig, whileTicking } from "../support/outbound-rig.ts";

describe("many calls at once", () => {
  it("make Node warn of nothing, and all end with their client", async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on("warning", note);
    const rig = await startRig({ streaming: true, methods: { SendStreamingMessage: () => undefined } });
    const calls = Array.from({ length: 30 }, () => failure(rig.call(), "CANCELLED"));
    await rig.peer.arrived(60);
    await whileTicking(rig.clock, rig.client.close());
    await Promise.all(calls);
    await rig.end();
    process.off("warning", note);
    assert.deepEqual(warnings, []);
  });
});
