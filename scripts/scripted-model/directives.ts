// The directive lines of a request (see index.ts) -> turns. Pure.

import type { Finish, Outcome, Piece, Turn, View } from "./turn.ts";

type Directive = { readonly piece: (view: View) => readonly Piece[] } | { readonly finish: (view: View) => Finish };

/** The turn that follows the calls made so far; undefined when the request has no directive. */
export function directedTurn(request: string, view: View): Turn | undefined {
  const directives = request.split("\n").flatMap((line) => decodeLine(line.trim()) ?? []);
  if (directives.length === 0) return undefined;
  const turns = groupTurns(directives, view);
  return turns[Math.min(view.outcomes.length, turns.length - 1)];
}

function groupTurns(directives: readonly Directive[], view: View): Turn[] {
  const turns: Turn[] = [];
  let pieces: Piece[] = [];
  for (const directive of directives) {
    if ("piece" in directive) {
      pieces.push(...directive.piece(view));
      continue;
    }
    const finish = directive.finish(view);
    turns.push({ pieces, finish });
    pieces = [];
    if (finish.kind !== "call") return turns;
  }
  if (pieces.length === 0) pieces = [said(reportOutcomes(view.outcomes))];
  turns.push({ pieces, finish: { kind: "stop" } });
  return turns;
}

function decodeLine(line: string): Directive | undefined {
  const [, word = "", rest = ""] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
  if (word === "call") return decodeCall(rest);
  if (word === "answer" && rest !== "") return { finish: ({ outcomes }) => answerTo(outcomes.at(-1), rest) };
  if (word === "say" && rest !== "") return { piece: () => [said(rest)] };
  if (word === "slow") return decodeSlow(rest);
  if (word === "fail" && rest !== "") return { finish: () => ({ kind: "error", message: rest }) };
  if (rest !== "") return undefined;
  if (word === "length") return { finish: () => ({ kind: "length" }) };
  if (word === "context") return { piece: (view) => [said(describeContext(view))] };
  if (word === "about") return { piece: (view) => [said(describeModel(view))] };
  return undefined;
}

function decodeCall(rest: string): Directive | undefined {
  const [, tool = "", json = ""] = /^(\S+)\s+(\{.*\})$/.exec(rest) ?? [];
  if (tool === "") return undefined;
  try {
    const args: unknown = JSON.parse(json);
    if (typeof args !== "object" || args === null) return undefined;
    return { finish: () => ({ kind: "call", tool, args: Object.fromEntries(Object.entries(args)) }) };
  } catch (cause) {
    // A typing error in a test must be seen in the answer, not end the host.
    const message = `scripted model: "call ${tool}" has broken JSON: ${String(cause)}`;
    return { finish: () => ({ kind: "error", message }) };
  }
}

/** Takes agent and id from the call that the question's result tells. */
function answerTo(question: Outcome | undefined, message: string): Finish {
  const told = /a2a_call\(agent: "([^"]+)", (context_id|task_id): "([^"]+)"/.exec(question?.text ?? "");
  const [, agent, name = "", id] = told ?? [];
  if (agent === undefined) return { kind: "error", message: "scripted model: the last result holds no question" };
  return { kind: "call", tool: "a2a_call", args: { agent, [name]: id, message } };
}

function decodeSlow(rest: string): Directive | undefined {
  const [, count = "", delay = ""] = /^(\d+)\s+(\d+)$/.exec(rest) ?? [];
  if (count === "") return undefined;
  const delayMs = Number(delay);
  return { piece: () => Array.from({ length: Number(count) }, (_, i) => ({ text: `piece ${i + 1} `, delayMs })) };
}

function said(text: string): Piece {
  return { text, delayMs: 0 };
}

function reportOutcomes(outcomes: readonly Outcome[]): string {
  return outcomes.map(({ tool, text, failed }) => `${tool} ${failed ? "failed" : "said"}: ${text}`).join("\n");
}

function describeContext({ requests }: View): string {
  return requests.map((request, i) => `[user message ${i + 1}] ${request}`).join("\n");
}

function describeModel({ model, thinking, tools }: View): string {
  return `model ${model}; thinking ${thinking}; tools ${[...tools].sort().join(", ")}`;
}
