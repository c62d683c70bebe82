import assert from "node:assert/strict";
import { serverText, startedText, startLevel } from "../../../../src/pi/text/server-text.ts";
import { QUIET_REPORT } from "../../../support/server-report.ts";

describe("the text about the server", () => {
  it("says at the start and in the status what is the matter with the tasks that are kept, in safe lines", () => {
    const report = { ...QUIET_REPORT, keptProblems: ["3 lines of a.0.jsonl are damaged", "evil\u001b[2J\nname"] };
    for (const text of [startedText(report, false), startedText(report, true), serverText(report)]) {
      assert.match(text, /^ {2}Kept tasks: 3 lines of a\.0\.jsonl are damaged$/m);
      assert.match(text, /^ {2}Kept tasks: evil.*name$/m);
      assert.equal(text.includes("\u001b"), false);
    }
    assert.equal(startLevel(report), "warning");
  });

  it("says nothing of it when all is well, and not all of much", () => {
    assert.doesNotMatch(startedText(QUIET_REPORT, false) + serverText(QUIET_REPORT), /Kept tasks/);
    assert.equal(startLevel(QUIET_REPORT), "info");
    const many = { ...QUIET_REPORT, keptProblems: Array.from({ length: 900 }, (_, n) => `problem ${n}`) };
    assert.match(serverText(many), /problem 3\n {2}Kept tasks: 896 more problems like these\.$/);
  });
});
