import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { CommandOptions, CommandOutcome, CommandPort } from "../../../src/core/platform/command.ts";
import { A2aError, isA2aError } from "../../../src/core/platform/errors.ts";
import { type CommandTokens, createCommandTokens, type TokenRequest } from "../../../src/outbound/command-tokens.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { failure } from "../../support/outbound-rig.ts";

interface Rig {
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly tokens: CommandTokens;
  /** The runs so far, each to be answered. */
  readonly runs: {
    readonly command: string;
    readonly options: CommandOptions;
    answer(outcome: CommandOutcome): void;
  }[];
  ask(fields?: Partial<TokenRequest>): Promise<string>;
}

function rig(): Rig {
  const clock = createFakeClock();
  const runs: Rig["runs"] = [];
  const commands: CommandPort = {
    run: (command, options) =>
      new Promise((resolve, reject) => {
        runs.push({ command, options, answer: resolve });
        options.signal.addEventListener("abort", () => reject(new A2aError("CANCELLED", "the run was ended")));
      }),
    close: () => undefined,
  };
  const tokens = createCommandTokens({ clock, commands, cwd: () => "/agent" });
  const signal = new AbortController().signal;
  return {
    clock,
    tokens,
    runs,
    ask: (fields = {}) => tokens.token({ peer: "hermes", command: "pass x", signal, ...fields }),
  };
}

const printed = (text: string): CommandOutcome => ({ kind: "printed", text });

describe("the credential that a command prints", () => {
  it("is its first line, trimmed, and the command runs in the operator's folder", async () => {
    const { ask, runs } = rig();
    const asked = ask();
    runs[0]?.answer(printed("  tok-1 \r\nsecond line\n"));
    assert.equal(await asked, "tok-1");
    assert.equal(runs[0]?.options.cwd, "/agent");
  });

  it("is kept for five minutes", async () => {
    const { ask, runs, clock } = rig();
    const first = ask();
    runs[0]?.answer(printed("tok-1"));
    await first;
    clock.tick(299_000);
    assert.equal(await ask(), "tok-1");
    clock.tick(1001);
    const later = ask();
    runs[1]?.answer(printed("tok-2"));
    assert.equal(await later, "tok-2");
  });

  it("is asked for again when a peer refused it, once for all who ask", async () => {
    const { ask, runs } = rig();
    const first = ask();
    runs[0]?.answer(printed("tok-1"));
    await first;
    const again = [ask({ refused: "tok-1" }), ask({ refused: "tok-1" })];
    runs[1]?.answer(printed("tok-2"));
    assert.deepEqual(await Promise.all(again), ["tok-2", "tok-2"]);
    assert.equal(await ask({ refused: "tok-1" }), "tok-2");
    assert.equal(runs.length, 2);
  });

  it("is shared by calls at the same time; the last one that leaves ends the run", async () => {
    const { ask, runs } = rig();
    const leaving = [new AbortController(), new AbortController()] as const;
    const asked = leaving.map(({ signal }) => failure(ask({ signal }), "CANCELLED"));
    assert.equal(runs.length, 1);
    leaving[0].abort(new A2aError("CANCELLED", "Esc"));
    await asked[0];
    assert.equal(runs[0]?.options.signal.aborted, false);
    leaving[1].abort(new A2aError("CANCELLED", "Esc"));
    await asked[1];
    assert.equal(runs[0]?.options.signal.aborted, true);
  });

  it("is missed with a clear error when the command fails, and the next call runs it again", async () => {
    const { ask, runs } = rig();
    const asked = failure(ask(), "CONFIG_INVALID");
    runs[0]?.answer({ kind: "failed", why: "ended with status 1" });
    const error = await asked;
    assert.equal(error.message, "hermes was not called, as its tokenCommand ended with status 1");
    assert.match(error.hint, /a2a\.peers\.hermes\.auth\.tokenCommand/);
    const empty = failure(ask(), "CONFIG_INVALID");
    runs[1]?.answer(printed("\nhunter2"));
    assert.match((await empty).message, /printed nothing in its first line/);
    assert.doesNotMatch((await empty).message, /hunter2/);
  });

  it("stays known to redaction after it was renewed", async () => {
    const { ask, runs, tokens } = rig();
    const first = ask();
    runs[0]?.answer(printed("tok-1"));
    await first;
    const second = ask({ refused: "tok-1" });
    runs[1]?.answer(printed("tok-2"));
    await second;
    assert.deepEqual(tokens.known(), ["tok-1", "tok-2"]);
  });

  it("is not asked for by a call that has ended already", async () => {
    const { ask, runs } = rig();
    const signal = AbortSignal.abort(new A2aError("CANCELLED", "Esc"));
    await assert.rejects(ask({ signal }), (error) => isA2aError(error, "CANCELLED"));
    assert.equal(runs.length, 0);
  });
});
