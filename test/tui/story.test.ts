// The story of the README in two real terminals: serve, call, watch, cancel, reload, quit. The steps build on each other.

import assert from "node:assert/strict";
import { appeared, gone } from "../support/e2e-processes.ts";
import { call } from "../support/e2e-script.ts";
import type { Workspace } from "../support/e2e-stage.ts";
import { measured } from "../support/measured.ts";
import type { Terminal } from "../support/tmux.ts";
import { FOOTER, openTuiStage, quit, type TuiStage } from "../support/tui-stage.ts";

const ROWS = 45;
/** Names and texts that terminals count in another way than programs do, or obey. */
const WIDE = "日本語エージェント";
const EMOJI = "👨‍👩‍👧‍👦🇺🇸⚠️";
const BIDI = "abc\u202Edef\u2066ghi";
const NAMES = [WIDE, EMOJI, BIDI];
const BAD_NAME = NAMES.join(" ").repeat(4);

for (const columns of [100, 60]) {
  describe(`two sessions in terminals of ${columns} columns`, () => {
    const size = { columns, rows: ROWS };
    let stage: TuiStage;
    let folder: Workspace;
    let server: Terminal;
    let caller: Terminal;
    let url: string;

    before(async () => {
      stage = openTuiStage();
      stage.addSettings({ a2a: { server: { agentName: BAD_NAME } } });
      folder = stage.workspace("served");
      server = await stage.session("server", folder, size);
      caller = await stage.session("caller", stage.workspace("calling"), size);
    });

    after(() => stage.close());

    afterEach(async () => {
      assert.equal(stage.stderr(), "", "nothing may be printed over the screen");
    });

    it("complete the sub-commands of /a2a-server, and start it", async () => {
      await server.type("/a2a-server st");
      const popup = await server.shows(/→ start\s+Let other agents/);
      assert.match(popup, /^ +stop\s+End inbound/m);
      assert.match(popup, /^ +status\s+Address/m);
      await server.press("Tab");
      await server.shows(/\/a2a-server start/);
      await server.press("Enter");
      const screen = await server.shows(/listening on (127\.0\.0\.1:\d+)/);
      url = `http://${/127\.0\.0\.1:\d+/.exec(screen)?.[0]}/`;
      stage.addSettings({ a2a: { peers: { desk: { url } }, server: { agentName: BAD_NAME } } });
    });

    it("show a running call: state, growing time and last line there, footer and toast here", async () => {
      await server.enter(call("bash", { command: "sh hold.sh own" }));
      await appeared(folder.file("pid-own"));
      await ask("desk", [...held("one"), ...Array.from({ length: 9 }, (_, i) => `say line ${i + 1} of the reply`)]);
      await appeared(folder.file("pid-one"));
      // Nobody says anything now, and the time goes on all the same.
      await caller.shows(/working · [1-9]\d*\.\ds · task-[0-9a-f]{16}/);
      if (columns === 100) await caller.shows(/working · .* · (looking around|bash)/);
      // The serving host is inside a tool of its own all this time.
      const busy = await server.shows(/A2A 1 running: \S+/);
      assert.match(busy, /\[A2A inbound\] dispatch from /);
      await isWhole(server);
      await isWhole(caller);
    });

    it("show the reply, first collapsed and with Ctrl+O whole", async () => {
      folder.write("go-one");
      const collapsed = await caller.shows(/… \d+ more lines/);
      assert.match(collapsed, /\[A2A → desk · context ctx-[0-9a-f]{16} · completed\]/);
      await caller.shows(FOOTER);
      await caller.press("C-o");
      const expanded = await caller.shows(/… \d+ more lines/, { not: true });
      for (const line of ["line 4 of the reply", "line 9 of the reply"]) assert.ok(expanded.includes(line), expanded);
      await caller.press("C-o");
      await caller.shows(/… \d+ more lines/);
    });

    it("show the child's steps as lines in the serving session once it is idle, and no footer any more", async () => {
      await server.shows(/A2A 1 running/, { not: true });
      folder.write("go-own");
      await server.shows(/bash said: held/);
      await server.shows(/\[A2A inbound\] ⚙ bash/);
      await server.shows(/\[A2A inbound\] A2A dispatch a2a-[0-9a-f]{3} completed/);
      await isWhole(server);
    });

    it("stop on both sides with Esc, and the next call works", async () => {
      await ask("desk", held("esc"));
      const shell = Number(await appeared(folder.file("pid-esc")));
      await caller.press("Escape");
      await gone([shell], 1_500);
      await server.shows(/\[A2A inbound\] A2A dispatch a2a-[0-9a-f]{3} canceled/);
      await caller.shows(/aborted|cancelled|canceled/i);
      await ask("desk", ["say back again"]);
      await caller.shows(/completed\]\s+back again/);
      await isWhole(caller);
    });

    it("stop a command's wait with Esc", async () => {
      await caller.enter(`/a2a-send desk ${call("bash", { command: "sh hold.sh send" })}`);
      const shell = Number(await appeared(folder.file("pid-send")));
      await caller.shows(/Waiting for desk \(Esc cancels\)/);
      await caller.press("Escape");
      await gone([shell], 1_500);
      await caller.shows(/Waiting for desk \(Esc cancels\)/, { not: true });
      await isWhole(caller);
    });

    it("reload the serving session in the middle of a task", async () => {
      await ask("desk", [...held("reload"), "say it outlived the reload"]);
      await appeared(folder.file("pid-reload"));
      await server.enter("/reload");
      await server.shows(/Reloaded /);
      folder.write("go-reload");
      await caller.shows(/completed\]\s+it outlived the reload/);
      await server.enter("/a2a-server status");
      await server.shows(new RegExp(`listening on ${new URL(url).host}, 0 of 3 slots\\s+in\\s+use`));
      await isWhole(server);
    });

    it("draw names and texts that terminals count differently or obey", async () => {
      for (const name of NAMES) {
        const text = `${name} ${"\u001b[2J\u0007"} ${"\u001b]8;;http://x\u0007link\u001b]8;;\u0007"} ${name.repeat(10)}`;
        await ask(name, [text, "no such peer"]);
        await caller.shows(/no peer is called/);
        await ask("desk", [`say ${text} the end of ${NAMES.indexOf(name)}`]);
        await caller.shows(new RegExp(`a2a_call said:[^]*completed\\][^]*the\\s+end\\s+of\\s+${NAMES.indexOf(name)}`));
        await isWhole(caller);
        await isWhole(server);
      }
    });

    it("draw the name of an agent that has chosen a bad one", async () => {
      await caller.enter("/a2a-discover desk ");
      await caller.shows(new RegExp(`Agent: ${WIDE}`));
      await isWhole(caller);
    });

    it("stand a window that changes its size, with a task in the footer (U01, U02)", async () => {
      await ask("desk", held("resize"));
      await server.shows(/A2A 1 running: /);
      for (const narrow of [33, 12, columns]) {
        await server.resize({ columns: narrow, rows: ROWS });
        await caller.resize({ columns: narrow, rows: ROWS });
        const border = new RegExp(`^──.{${narrow - 2}}$`, "mu");
        await Promise.all([server, caller].map((terminal) => terminal.shows(border)));
      }
      folder.write("go-resize");
      await server.shows(/A2A 1 running: /, { not: true });
      await isWhole(server);
      await isWhole(caller);
    });

    it("quit within two seconds, also while a task runs, and leave the screen and the machine clean", async function () {
      await ask("desk", held("quit"));
      const shell = Number(await appeared(folder.file("pid-quit")));
      const serving = await quit(server);
      await gone([shell]);
      await caller.shows(/failed/);
      const calling = await quit(caller);
      for (const { printed } of [serving, calling]) {
        assert.deepEqual(
          printed.filter((line) => !EXPECTED.test(line)),
          [],
        );
      }
      measured(this, serving.tookMs);
      measured(this, calling.tookMs);
    });

    it("show the activity lines again when the session is resumed", async () => {
      const resumed = await stage.session("resumed", folder, size, "--continue");
      await resumed.shows(/\[A2A inbound\] A2A dispatch a2a-[0-9a-f]{3} completed/);
      await isWhole(resumed);
      await quit(resumed);
    });

    async function ask(agent: string, lines: readonly string[]): Promise<void> {
      await caller.enter(asAscii(call("a2a_call", { agent, message: lines.join("\n") })));
    }

    /** Every line of the screen is where Pi put it, as soon as it has drawn: borders over the whole width, the footer below. */
    async function isWhole(terminal: Terminal): Promise<void> {
      await terminal.shows(function bordersAndFooter(screen) {
        const lines = screen.trimEnd().split("\n");
        // A busy host of the current line writes that into the upper border.
        const borders = lines.filter((line) => line.startsWith("──") && [...line].length === columns);
        return lines.slice(-2).some((line) => FOOTER.test(line)) && borders.length >= 2;
      });
    }
  });
}

/** Our status is the last line of Pi's last screen; below it the current line tells how to come back. */
const EXPECTED = /^(A2A 1 running: .*|To resume this session:|pi --session \S+)$/;

/** JSON that can be typed on any keyboard. */
function asAscii(json: string): string {
  return json.replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function held(name: string): string[] {
  return ["say looking around", call("bash", { command: `sh hold.sh ${name}` })];
}
