// The demo's story: one session serves, the other hands it a task, and the reply is checked against the workspace.

import { request } from "node:http";
import { serve } from "../../test/support/e2e-stage.ts";
import type { Theatre } from "./theatre.ts";
import { TODO_FILES } from "./workspace.ts";

/** Plays the story once. Throws with the reason when it does not come to its end. */
export async function delegate(theatre: Theatre): Promise<void> {
  console.log(`workspace: ${theatre.workspace}`);
  const [server, caller] = await Promise.all([theatre.session("session 1"), theatre.session("session 2")]);
  console.log("\nsession 1: /a2a-server start");
  const url = await serve(server);
  console.log("\ncard:");
  for (const line of describeCard(await fetchJson(`${url}.well-known/agent-card.json`))) console.log(`  ${line}`);

  const question = `ask the agent at ${url.slice(0, -1)} which files hold TODO comments`;
  console.log(`\nsession 2: ${question}`);
  const { text, error, results } = await caller.prompt(question, { deadlineMs: 290_000 });
  const call = results.find(({ tool }) => tool === "a2a_call");
  if (error !== undefined) throw new Error(`the model of session 2 failed: ${error}`);
  if (call === undefined) throw new Error(`session 2 made no a2a_call; it said: ${text}`);
  if (call.failed) throw new Error(`a2a_call failed: ${call.text}`);
  console.log(`\nreply:\n${text.replace(/^/gm, "  ")}`);
  report(call.text, theatre.scripted);
}

function report(reply: string, scripted: boolean): void {
  const named = TODO_FILES.filter((name) => reply.includes(name));
  const missing = TODO_FILES.filter((name) => !named.includes(name));
  console.log("\nfiles involved:");
  for (const name of named) console.log(`  ${name}`);
  if (missing.length === 0) return;
  const problem = `the reply does not name ${missing.join(", ")}`;
  // A real model may answer in its own way; the scripted one has one right answer.
  if (scripted) throw new Error(problem);
  console.log(`  (${problem})`);
}

interface Card {
  readonly name?: string;
  readonly description?: string;
  readonly version?: string;
  readonly supportedInterfaces?: readonly { url?: string; protocolBinding?: string; protocolVersion?: string }[];
  readonly capabilities?: { readonly streaming?: boolean };
  readonly skills?: readonly { readonly name?: string }[];
}

function describeCard(card: Card): string[] {
  const interfaces = (card.supportedInterfaces ?? []).map(
    ({ url, protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion} at ${url}`,
  );
  return [
    `name         ${card.name} (version ${card.version})`,
    `description  ${card.description}`,
    ...interfaces.map((text) => `interface    ${text}`),
    `streaming    ${card.capabilities?.streaming === true ? "yes" : "no"}`,
    `skills       ${(card.skills ?? []).map(({ name }) => name).join(", ")}`,
  ];
}

function fetchJson(url: string): Promise<Card> {
  return new Promise((resolve, reject) => {
    const client = request(url, { timeout: 10_000 }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      response.on("end", () => {
        if (response.statusCode === 200) resolve(JSON.parse(body) as Card);
        else reject(new Error(`${url} answered ${response.statusCode}: ${body.slice(0, 200)}`));
      });
    });
    client.on("timeout", () => client.destroy(new Error(`${url} did not answer within 10 s`)));
    client.on("error", reject);
    client.end();
  });
}
