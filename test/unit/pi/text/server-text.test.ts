import assert from "node:assert/strict";
import { NO_USAGE } from "../../../../src/pi/child/usage.ts";
import type { ServerReport } from "../../../../src/pi/server-control.ts";
import { serverText, startedText, startLevel } from "../../../../src/pi/text/server-text.ts";

const REPORT: ServerReport = {
  host: "127.0.0.1",
  port: 9910,
  origin: "http://127.0.0.1:9910",
  cardUrl: "http://127.0.0.1:9910/.well-known/agent-card.json",
  stats: { running: 0, waiting: 0, maxConcurrent: 3, tasks: 0, completed: 0, failed: 0 },
  running: [],
  keptProblems: [],
  usage: NO_USAGE,
};

describe("the text about the server", () => {
  it("says at the start and in the status what is the matter with the tasks that are kept, in safe lines", () => {
    const report = { ...REPORT, keptProblems: ["3 lines of a.0.jsonl are damaged", "evil\u001b[2J\nname"] };
    for (const text of [startedText(report, false), startedText(report, true), serverText(report)]) {
      assert.match(text, /^ {2}Kept tasks: 3 lines of a\.0\.jsonl are damaged$/m);
      assert.match(text, /^ {2}Kept tasks: evil.*name$/m);
      assert.equal(text.includes("\u001b"), false);
    }
    assert.equal(startLevel(report), "warning");
  });

  it("says nothing of it when all is well, and not all of much", () => {
    assert.doesNotMatch(startedText(REPORT, false) + serverText(REPORT), /Kept tasks/);
    assert.equal(startLevel(REPORT), "info");
    const many = { ...REPORT, keptProblems: Array.from({ length: 900 }, (_, n) => `problem ${n}`) };
    assert.match(serverText(many), /problem 3\n {2}Kept tasks: 896 more problems like these\.$/);
  });
});
