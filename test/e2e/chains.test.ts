// Sessions that pass work on: one trace joins all of it, and a chain of them ends, in a circle or at its limit, with its reason.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { appeared } from "../support/e2e-processes.ts";
import { call } from "../support/e2e-script.ts";
import { openStage, type Stage, serve } from "../support/e2e-stage.ts";
import type { PiProcess } from "../support/pi-process.ts";

type Line = Readonly<Record<string, unknown>>;

describe("sessions that pass work on", () => {
  let stage: Stage;
  let first: PiProcess;
  /** What others call the sessions: the one that begins, two that serve, and one that takes work of nobody's chain but the first. */
  let urls: { readonly first: string; readonly second: string; readonly third: string; readonly last: string };

  before(async () => {
    stage = openStage();
    const open = (name: string, env = {}): Promise<PiProcess> => stage.session(stage.workspace(name), { env });
    const sessions = await Promise.all([
      open("first"),
      open("second"),
      open("third"),
      open("last", { A2A_MAX_HOPS: "1" }),
    ]);
    first = sessions[0];
    const [a, b, c, d] = await Promise.all(sessions.map(serve));
    assert.ok(a !== undefined && b !== undefined && c !== undefined && d !== undefined);
    urls = { first: a, second: b, third: c, last: d };
  });
  after(() => stage.close());

  /** A message that makes the child of the session at `agent` say or do what `message` says. */
  const pass = (agent: string, message: string): string => call("a2a_call", { agent, message });
  const readLines = (path: string): Line[] =>
    readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const traceId = ({ traceparent }: Line): string | undefined => String(traceparent).split("-")[1];

  it("are joined by one trace, in the audit and in the transcripts of their children", async () => {
    const { text, results } = await first.prompt(pass(urls.second, pass(urls.third, "say the heron was seen")));
    assert.equal(results[0]?.failed, false, results[0]?.text);
    assert.match(text, /the heron was seen/);

    const path = join(stage.root, "agent", "a2a_audit.jsonl");
    const ends = (log: string): boolean => log.split('"outcome"').length > 4;
    await appeared(path, { where: ends });
    const audit = readLines(path).filter(({ event }) => event === "arrival" || event === "outcome");
    assert.equal(audit.length, 8, "two calls, each with its beginning and end on both sides");
    assert.deepEqual([...new Set(audit.map(traceId))].length, 1);

    const folder = join(stage.root, "agent", "a2a_sessions");
    const ways = readdirSync(folder).flatMap((name) =>
      readLines(join(folder, name)).flatMap(({ customType, data }) => (customType === "a2a" ? [data as Line] : [])),
    );
    assert.deepEqual([...new Set(ways.map(traceId))], [...new Set(audit.map(traceId))]);
    const paths = ways.map(({ sessions }) => sessions as string[]).sort((one, other) => one.length - other.length);
    assert.deepEqual(
      paths.map(({ length }) => length),
      [1, 2],
    );
    assert.equal(paths[0]?.[0], paths[1]?.[0]);
    // Ids, not names: nothing in them tells who they are.
    for (const id of paths.flat()) assert.match(id, /^[0-9a-f]{16}$/);
  });

  it("are refused when they come back to the first, which says why", async () => {
    const { text } = await first.prompt(pass(urls.second, pass(urls.first, "say round and round")));
    assert.match(text, /rejected[\s\S]*come back to a session that passed it on already[\s\S]*in a circle/i);
    assert.doesNotMatch(text, /^round and round/m);
  });

  it("are refused by one that takes work from nearer only", async () => {
    const { text } = await first.prompt(pass(urls.second, pass(urls.last, "say too far")));
    assert.match(text, /rejected[\s\S]*passed on 2 times[\s\S]*this session takes 1 at most/i);
  });

  it("end where no hop is left: the last one is told to finish the work itself", async () => {
    const { text } = await first.prompt(pass(urls.last, pass(urls.third, "say too far")));
    assert.match(text, /may not be passed on any further[\s\S]*Finish the task here/);
    assert.doesNotMatch(text, /^too far/m);
  });
});
