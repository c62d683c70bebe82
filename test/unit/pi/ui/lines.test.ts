import assert from "node:assert/strict";
import { visibleWidth } from "@mariozechner/pi-tui";
import { cutLines, fitWidth, wrappedLines } from "../../../../src/pi/ui/lines.ts";

const HOSTILE = [
  "plain text that is longer than a narrow terminal can show on one line",
  "日本語エージェントが長い名前を持っている",
  "🇺🇸👨‍👩‍👧‍👦⚠️ flags and families 🧪",
  "한글 e\u0301 combining",
  "a\tb\tc tabs",
  "",
];

describe("lines", () => {
  it("are never wider than the terminal, at any width from 0 to 200 (U01, U03, U05)", () => {
    for (let width = 0; width <= 200; width++) {
      for (const component of [cutLines(HOSTILE), wrappedLines(HOSTILE)]) {
        for (const line of component.render(width)) {
          assert.ok(visibleWidth(line) <= width, `width ${width}: ${JSON.stringify(line)}`);
        }
      }
    }
  });

  it("are cut with an ellipsis that counts (U02)", () => {
    assert.equal(visibleWidth(fitWidth("a-peer-with-a-very-long-name", 10)), 10);
  });

  it("wrap without losing text when there is room", () => {
    assert.equal(wrappedLines(["one two three"]).render(7).join(" ").replace(/\s+/g, " ").trim(), "one two three");
  });
});
