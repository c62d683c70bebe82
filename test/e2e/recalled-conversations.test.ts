// A conversation whose transcript is not there goes on from the tasks that are kept, on real Pi: when none is written, when it was
// removed, and after a restart.

import assert from "node:assert/strict";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { artifactText, sendText } from "../support/e2e-http.ts";
import { openStage, type Stage, serve } from "../support/e2e-stage.ts";

const OFF = { A2A_CHILD_TRANSCRIPTS: "false" };

describe("a conversation without its transcript", () => {
  let stage: Stage;
  before(() => {
    stage = openStage();
  });
  after(() => stage.close());
  const transcripts = (): string => join(stage.root, "agent", "a2a_sessions");

  /** What the child of one more task of the context is told. */
  const told = async (url: string, contextId: string): Promise<string> =>
    artifactText(await sendText(url, "context", { contextId }));

  it("goes on from its kept tasks when none is written, also after a restart, and tells who said what", async () => {
    const folder = stage.workspace("off");
    const first = await stage.session(folder, { env: OFF });
    const url = await serve(first);
    const { contextId } = await sendText(url, "say XYZZY it is");
    const text = await told(url, contextId);
    assert.match(text, /^\[user message 1\] \[A2A peer message\] .* wrote everything below this line/);
    assert.match(text, /What was said in this conversation before.*:\nCaller: say XYZZY it is\nYou: XYZZY it is\n/);
    assert.match(text, /\n\nWhat the caller says now:\ncontext$/);
    assert.equal(existsSync(transcripts()), false);
    assert.equal((await first.stop()).code, 0);

    const next = await stage.session(folder, { env: OFF });
    const nextUrl = await serve(next);
    assert.match(await told(nextUrl, contextId), /Caller: say XYZZY it is\nYou: XYZZY it is\nCaller: context\nYou: /);
    assert.doesNotMatch(await told(nextUrl, "another-one"), /XYZZY/);
  });

  it("goes on from its kept tasks when the transcript was removed, and from a transcript again afterwards", async () => {
    const url = await serve(await stage.session(stage.workspace("on")));
    const { contextId } = await sendText(url, "say PLUGH it is");
    for (const name of readdirSync(transcripts())) rmSync(join(transcripts(), name));
    assert.match(await told(url, contextId), /Caller: say PLUGH it is\nYou: PLUGH it is\n/);
    const text = await told(url, contextId);
    assert.match(text, /\[user message 1\].*\n\nWhat was said[\s\S]*PLUGH[\s\S]*\[user message 2\].*\n\ncontext$/);
  });
});
