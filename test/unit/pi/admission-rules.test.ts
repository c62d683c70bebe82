import assert from "node:assert/strict";
import { createAdmissionRules } from "../../../src/pi/admission-rules.ts";
import { settingsWith } from "../../support/server-settings.ts";

describe("createAdmissionRules", () => {
  it("puts the tokens of peers before the shared one", () => {
    const rules = createAdmissionRules(() => frozen)();
    assert.deepEqual(rules.tokens, [
      { token: "a", key: "peer:alice", name: "alice" },
      { token: "b", key: "peer:bob", name: "bob" },
      { token: "s", key: "shared" },
    ]);
  });
  const frozen = settingsWith({ peerTokens: { alice: "a", bob: "b" }, sharedToken: "s" });

  it("are the same object until the settings are read again", () => {
    let settings = settingsWith();
    const rules = createAdmissionRules(() => settings);
    const first = rules();
    assert.equal(rules(), first);
    settings = settingsWith({ sharedToken: "s" });
    assert.equal(rules().tokens.length, 1);
  });

  it("let nobody in while what keeps callers out could not be read", () => {
    assert.equal(createAdmissionRules(() => settingsWith())().closed, false);
    const broken = settingsWith({ refusals: ["settings.json is not JSON"] });
    assert.equal(createAdmissionRules(() => broken)().closed, true);
  });
});
