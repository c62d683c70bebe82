// What we draw, through the host's own renderer at every width: nothing is wider than the terminal, because that ends Pi.

import assert from "node:assert/strict";
import type { Theme } from "@mariozechner/pi-coding-agent";
import { type Component, Container, visibleWidth } from "@mariozechner/pi-tui";
import fc from "fast-check";
import { safeBlock } from "../../../../src/core/security/sanitize.ts";
import { drawCall, drawResult } from "../../../../src/pi/tools/tool-row.ts";
import { activityOf } from "../../../../src/pi/ui/activity-lines.ts";
import { createNotes, type Note } from "../../../../src/pi/ui/transcript-notes.ts";
import { status, textMessage } from "../../../support/builders.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { createFakePi } from "../../../support/fake-pi.ts";
import { HOSTILE_TEXTS } from "../../../support/hostile-text.ts";
import { openRenderer, openVirtualTui } from "../../../support/virtual-terminal.ts";

/** Paints as the host's themes do: what is cut must not count the colours, and must end them. */
const theme = {
  fg: (_color: string, text: string) => `\x1b[38;5;244m${text}\x1b[39m`,
  bold: (text: string) => `\x1b[1m${text}\x1b[22m`,
} as unknown as Theme;

const WIDTHS = Array.from({ length: 201 }, (_, width) => width);

describe("tool rows and transcript lines in a real renderer", () => {
  for (const [name, draw] of Object.entries(rows())) {
    it(`${name}: never wider than the terminal at widths 0 to 200, drawn anew and drawn over (U01, U03, U05)`, () => {
      const hostile = new Container();
      for (const text of HOSTILE_TEXTS) hostile.addChild(draw(text));
      for (const width of WIDTHS) {
        const lines = hostile.render(width);
        const renderer = openRenderer(width);
        // The renderer looks at the width of what it draws over something else.
        renderer.show(draw("short"));
        renderer.show({ render: () => lines, invalidate: () => undefined });
        renderer.stop();
        for (const line of lines) assert.ok(visibleWidth(line) <= width, `width ${width}: ${JSON.stringify(line)}`);
      }
    });

    it(`${name}: fits and obeys nobody, whatever the text`, () => {
      fc.assert(
        fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.integer({ min: 0, max: 200 }), (text, width) => {
          for (const line of draw(text).render(width)) {
            assert.ok(visibleWidth(line) <= width);
            assert.doesNotMatch(line.replaceAll(COLOURS, ""), CONTROLS);
          }
        }),
        { numRuns: 100 },
      );
    });
  }

  it("stay on their own line of the terminal where it counts as the renderer does", async () => {
    const counted = HOSTILE_TEXTS.filter((text) => !/\p{Extended_Pictographic}|\p{M}|\p{RI}/u.test(text));
    for (const width of [26, 51]) {
      const tui = openVirtualTui(width, 400);
      for (const [name, draw] of Object.entries(rows())) {
        for (const text of counted) {
          tui.show(draw(text));
          const wrapped = (await tui.screen()).filter((row) => row.wrapped);
          assert.deepEqual(wrapped, [], `${name} at ${width}: ${JSON.stringify(text)}`);
        }
      }
      tui.stop();
    }
  });

  it("show their text, cut with an ellipsis", async () => {
    const tui = openVirtualTui(30);
    tui.show(drawCall("a2a_call", "researcher", "Summarize what the others have found", theme));
    assert.equal((await tui.screen())[0]?.text, "a2a_call researcher Summari...");
    tui.stop();
  });
});

/** Everything of ours that draws what a peer or a model has said. */
function rows(): Record<string, (text: string) => Component> {
  const result = (text: string) => ({ content: [{ type: "text", text }] });
  const reply = (text: string): Note => ({ lines: safeBlock(text).split("\n"), tone: "info", open: true });
  return {
    "the call": (text) => drawCall("a2a_call", text, text, theme),
    "the running row": (text) => drawResult(result(text), { isPartial: true, expanded: false }, theme),
    "the collapsed result": (text) => drawResult(result(text.repeat(3)), { isPartial: false, expanded: false }, theme),
    "the expanded result": (text) => drawResult(result(text), { isPartial: false, expanded: true }, theme),
    "a transcript line": (text) => drawNote(arrival(text), false),
    "an expanded transcript line": (text) => drawNote(arrival(text), true),
    "a reply in the transcript": (text) => drawNote(reply(text), false),
  };
}

/** The line that announces a task of a caller with this name and this request. */
function arrival(text: string): Note {
  const { activity } = activityOf(
    {
      kind: "submitted",
      taskId: "task-1b4f8d1c30d54819",
      contextId: "ctx-1",
      at: 0,
      owner: { key: "local", name: text },
      detached: false,
      status: status("TASK_STATE_SUBMITTED"),
      message: textMessage(text),
    },
    undefined,
  );
  const [note] = activity.notes;
  assert.ok(note);
  return note;
}

/** As both hosts do it: the note goes into the session as plain data, and is drawn from that. */
function drawNote(note: Note, expanded: boolean): Component {
  const pi = createFakePi({ entryRenderers: true });
  createNotes(pi.api, createFakeClock(), () => true).add(note);
  const [entry] = pi.entries as { data: unknown }[];
  const drawn = pi.draw("a2a-note", { data: structuredClone(entry?.data) }, { expanded });
  return { ...drawn, invalidate: () => undefined };
}

/** The colours of the theme, and the reset that the host's width functions add when they cut. */
const COLOURS = new RegExp(`${"\u001b"}\\[[\\d;]*m`, "g");
/** Whatever a terminal would obey instead of drawing it. */
const CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
