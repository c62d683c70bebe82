// What the person sees of inbound work and what the model sees of it, on either Pi line: entries outside the context.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { artifactText, sendText } from "../support/e2e-http.ts";
import { appeared } from "../support/e2e-processes.ts";
import { hold } from "../support/e2e-script.ts";
import { openStage, type Stage, serve } from "../support/e2e-stage.ts";
import type { PiProcess } from "../support/pi-process.ts";

interface Message {
  readonly role: string;
  readonly content: string | readonly { readonly type: string }[];
}

describe("inbound activity in the serving session", () => {
  let stage: Stage;

  beforeEach(() => {
    stage = openStage();
  });

  afterEach(() => stage.close());

  it("comes while the host is inside a tool call, and the chat goes on as if it had not (U11)", async () => {
    const { folder, host, url } = await serving();
    const from = host.events.all.length;
    const run = await host.start(hold("shell"));
    await appeared(folder.file("shell"));
    assert.equal(artifactText(await sendText(url, "say hello from the child")), "hello from the child");
    folder.write("go");
    assert.equal((await run.finished()).stopReason, "stop");
    // The call, and the answer to its result: no line of ours was worth a model call.
    assert.equal(host.events.all.slice(from).filter((event) => event.type === "turn_start").length, 2);
    await shown(host, "hello from the child");
    assert.equal((await host.prompt("context")).text.match(/\[user message \d+\]/g)?.length, 2);
    const roles = (await messages(host)).map(({ role, content }) =>
      typeof content !== "string" && content.some(({ type }) => type === "toolCall") ? "call" : role,
    );
    assert.equal(roles[roles.indexOf("call") + 1], "toolResult", roles.join());
  });

  it("is kept with the session, and a turn after it costs one model call", async () => {
    const { host, url } = await serving();
    await host.prompt("say something first");
    await sendText(url, "say hello from the child");
    await shown(host, "hello from the child");
    const from = host.events.all.length;
    assert.doesNotMatch((await host.prompt("context")).text, /child/);
    assert.equal(host.events.all.slice(from).filter((event) => event.type === "turn_start").length, 1);
  });

  it("leaves no line behind when the person does not want any (U12)", async () => {
    writeSettings({ a2a: { ui: { transcript: false } } });
    const { host, url } = await serving();
    await host.prompt("say something first");
    const from = host.events.all.length;
    await sendText(url, "say hello from the child");
    await host.notification(/inbound.*completed/s, { from });
    await host.prompt("say something last");
    assert.doesNotMatch(readFileSync(await sessionFile(host), "utf8"), /a2a-note/);
  });

  it("is read by the model when the person wants that, and costs no model call either (G11)", async () => {
    writeSettings({ a2a: { ui: { transcriptInContext: true } } });
    const { host, url } = await serving();
    await host.prompt("say something first");
    await sendText(url, "say hello from the child");
    await shown(host, "hello from the child", "a2a-activity");
    const from = host.events.all.length;
    assert.match((await host.prompt("context")).text, /\[A2A inbound\][\s\S]*hello from the child/);
    assert.equal(host.events.all.slice(from).filter((event) => event.type === "turn_start").length, 1);
  });

  async function serving() {
    const folder = stage.workspace("served");
    const host = await stage.session(folder, { saved: true });
    return { folder, host, url: await serve(host) };
  }

  function writeSettings(settings: object): void {
    writeFileSync(join(stage.root, "agent", "settings.json"), JSON.stringify(settings));
  }

  /** Resolves once a line with this text is in the session's file: shown, and there after a resume. */
  async function shown(host: PiProcess, text: string, type = "a2a-note"): Promise<void> {
    const path = await sessionFile(host);
    const isThere = (line: string): boolean => line.includes(`"${type}"`) && line.includes(text);
    await appeared(path, { where: (content) => content.split("\n").some(isThere) });
  }

  async function sessionFile(host: PiProcess): Promise<string> {
    return ((await host.request("get_state")) as { sessionFile: string }).sessionFile;
  }

  async function messages(host: PiProcess): Promise<readonly Message[]> {
    return ((await host.request("get_messages")) as { messages: Message[] }).messages;
  }
});
