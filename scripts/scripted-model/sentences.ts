// The plain sentences of the story (see index.ts) -> turns. Pure: every answer is made from the conversation's own tool results.

import type { Finish, Outcome, Turn, View } from "./turn.ts";

const ASK_AT = /\bask the agent at (\S+?)[,:;]?\s+(\S[\s\S]*)/i;
const ASK_NAMED = /\bask the (\S+) agent (\S[\s\S]*)/i;
const TODO = /\b(?:which files hold|find all) TODO comments(?: in ([\w./-]+))?/i;
const FIRST = /\bwhat did I ask (?:you )?first\b/i;

/** The turn for a request that is one of the known sentences, else undefined. */
export function spokenTurn(request: string, view: View): Turn | undefined {
  const ask = ASK_AT.exec(request) ?? ASK_NAMED.exec(request);
  if (ask?.[1] !== undefined && ask[2] !== undefined) return askAgent(ask[1], ask[2], view.outcomes[0]);
  if (FIRST.test(request)) return say(`You asked first: ${withoutFrame(view.requests[0] ?? "")}`);
  const todo = TODO.exec(request);
  return todo === null ? undefined : searchTodo(todo[1]?.replace(/\.+$/, "") ?? ".", view.outcomes);
}

function askAgent(agent: string, request: string, outcome: Outcome | undefined): Turn {
  const who = /^https?:/.test(agent) ? `the agent at ${agent}` : `the ${agent} agent`;
  if (outcome === undefined) {
    return say(`I will ask ${who}.`, call("a2a_call", { agent, message: asMessage(request) }));
  }
  const subject = capitalise(who);
  return say(outcome.failed ? `${subject} gave no answer: ${outcome.text}` : `${subject} replied:\n\n${outcome.text}`);
}

/** "which files ..." -> "Which files ...?", "to list the files" -> "List the files". */
function asMessage(request: string): string {
  const message = capitalise(request.trim().replace(/^to\s+/i, ""));
  return /^(who|what|which|where|when|why|how)\b/i.test(message) && !/[.?!]$/.test(message) ? `${message}?` : message;
}

function searchTodo(folder: string, [search, reading]: readonly Outcome[]): Turn {
  if (search === undefined) {
    const command = `grep -rnI --exclude-dir=node_modules --exclude-dir=.git TODO ${folder === "" ? "." : folder}`;
    return say("I will search the files.", call("bash", { command }));
  }
  if (search.failed) {
    const empty = /exited with code 1\b/.test(search.text);
    return say(empty ? "No file holds a TODO comment." : `The search failed: ${search.text}`);
  }
  const hits = search.text.split("\n").flatMap((line) => decodeHit(line) ?? []);
  // grep goes through folders as the disk has them.
  hits.sort((a, b) => (a.file < b.file ? -1 : Number(a.file > b.file)));
  const first = hits[0];
  if (first === undefined) return say("No file holds a TODO comment.");
  if (reading === undefined) return say(`I will look into ${first.file}.`, call("read", { path: first.file }));
  return say(`${describeHits(hits)}\n\n${describeReading(first.file, reading)}`);
}

interface Hit {
  readonly file: string;
  readonly line: string;
  readonly text: string;
}

function decodeHit(line: string): Hit | undefined {
  const [, file, number, text] = /^(?:\.\/)?([^:]+):(\d+):(.*)$/.exec(line) ?? [];
  return file === undefined || number === undefined ? undefined : { file, line: number, text: (text ?? "").trim() };
}

function describeHits(hits: readonly Hit[]): string {
  const files = new Set(hits.map((hit) => hit.file));
  const head = files.size === 1 ? "One file holds TODO comments:" : `${files.size} files hold TODO comments:`;
  return [head, ...hits.map((hit) => `- ${hit.file}:${hit.line}: ${hit.text}`)].join("\n");
}

function describeReading(file: string, reading: Outcome): string {
  if (reading.failed) return `I could not read ${file}: ${reading.text}`;
  const count = reading.text.split("\n").filter((line) => line.includes("TODO")).length;
  return `I read ${file} to check: ${count} of its lines ${count === 1 ? "has" : "have"} a TODO.`;
}

/** A request of another agent arrives below a framing sentence and a blank line. */
function withoutFrame(request: string): string {
  const at = request.indexOf("\n\n");
  return at < 0 ? request : request.slice(at + 2);
}

function say(text: string, finish: Finish = { kind: "stop" }): Turn {
  return { pieces: [{ text, delayMs: 0 }], finish };
}

function call(tool: string, args: Readonly<Record<string, unknown>>): Finish {
  return { kind: "call", tool, args };
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
