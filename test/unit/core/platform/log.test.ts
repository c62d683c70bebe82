import assert from "node:assert/strict";
import { createLog } from "../../../../src/core/platform/log.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";

describe("the log", () => {
  it("keeps the newest lines", () => {
    const log = createLog(createFakeClock(), () => "id", { capacity: 2 });
    for (const text of ["a", "b", "c"]) log.info(text);
    assert.deepEqual(
      log.lines().map(({ text }) => text),
      ["b", "c"],
    );
  });

  it("takes secrets from every line before anybody reads it (X10)", () => {
    const log = createLog(createFakeClock(), () => "id", { redact: (text) => text.replaceAll("key-1", "[redacted]") });
    log.info("key-1");
    log.warn("a key-1");
    log.fault("calling", new Error("401 for key-1"));
    const text = log
      .lines()
      .map((line) => `${line.level} ${line.text}`)
      .join("\n");
    assert.doesNotMatch(text, /key-1/);
    assert.match(text, /^info \[redacted\]\nwarning a \[redacted\]\nerror id calling: .*401 for \[redacted\]/);
  });
});
