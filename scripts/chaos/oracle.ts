// Owns the second opinion on what is on disk: reads the lines of the journals and the traces of the runs by itself, with no code of the
// package, while no server lives.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Book, count, type Known } from "./book.ts";

interface OnDisk {
  /** Different lines that end it. */
  readonly ends: Set<string>;
  events: number;
}

interface Line {
  readonly k: string;
  readonly id: string;
  readonly own?: string;
  readonly ctx?: string;
  readonly state?: string;
}

/** What is kept agrees with what was heard, and no task has two ends. */
export function judgeFolder(book: Book, folder: string): void {
  const { findings } = book;
  const tasks = readFolder(folder, findings);
  for (const [id, { ends }] of tasks) {
    if (ends.size > 1)
      findings.push(`${id} was settled ${ends.size} times:\n    ${[...ends].join("\n    ").slice(0, 2_000)}`);
  }
  for (const known of book.known.values()) judgeTask(findings, known, tasks.get(known.id));
  judgeMarks(findings, readdirSync(folder));
}

function judgeTask(findings: string[], known: Known, task: OnDisk | undefined): void {
  const { id, token, contextId, end } = known;
  if (task === undefined) return void findings.push(`${id} is not on disk`);
  if (end === undefined) return;
  const [line] = task.ends;
  if (line === undefined) return void findings.push(`${id} was heard as ${end.state} and is not settled on disk`);
  const { own, ctx, state } = JSON.parse(line) as Line;
  if (own !== `peer:${token}` || ctx !== contextId || state !== `TASK_STATE_${end.state}`) {
    findings.push(`${id} was heard as ${end.state}, and on disk is ${line.slice(0, 300)}`);
  }
}

function readFolder(folder: string, findings: string[]): ReadonlyMap<string, OnDisk> {
  const tasks = new Map<string, OnDisk>();
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(".jsonl")) continue;
    const lines = readFileSync(join(folder, name), "utf8").split("\n");
    // What has no newline at its end was being written.
    lines.pop();
    for (const text of lines) {
      const line = parse(text);
      if (line === undefined) findings.push(`${name} has a damaged line: ${text.slice(0, 300)}`);
      else take(tasks, line, text);
    }
  }
  return tasks;
}

function take(tasks: Map<string, OnDisk>, { k, id }: Line, text: string): void {
  const task = tasks.get(id) ?? { ends: new Set(), events: 0 };
  tasks.set(id, task);
  if (k === "end") task.ends.add(text);
  else task.events += 1;
}

function parse(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    // Said by the caller.
    return undefined;
  }
}

/** No server's tasks were taken over by two. */
function judgeMarks(findings: string[], names: readonly string[]): void {
  const by = new Map<string, string>();
  for (const name of names) {
    const [, key, heir] = /^(.+)\.by-(.+)\.json$/.exec(name) ?? [];
    if (key === undefined || heir === undefined) continue;
    if (by.has(key)) findings.push(`${key} was taken over by ${by.get(key)} and by ${heir}`);
    by.set(key, heir);
  }
}

/**
 * No message ran twice in one life, no message of a task ran twice ever, nor one that was sent again where its task was; and nothing that
 * completed never ran.
 */
export function judgeRuns(book: Book, path: string): void {
  const seen = new Set<string>();
  const ran = new Set<string>();
  for (const line of linesOf(path)) {
    const [life, taskId, messageId = ""] = line.split(" ");
    const once = book.once.has(messageId) ? [`message ${messageId}`] : [];
    for (const run of [`life ${life} ${messageId}`, `${taskId} ${messageId}`, ...once]) {
      if (seen.has(run)) book.findings.push(`ran twice: ${run}`);
      seen.add(run);
    }
    ran.add(taskId ?? "");
  }
  for (const { id, end } of book.known.values()) {
    if (end?.state === "COMPLETED" && !ran.has(id)) book.findings.push(`${id} completed and never ran`);
  }
}

/** What servers wrote beside their answers; what they complain of is a finding. Returns how many lines there are. */
export function judgeNotes(book: Book, path: string, from: number): number {
  const lines = linesOf(path);
  for (const line of lines.slice(from)) {
    // One that was let go while another server read it.
    const [, mortal] = /^fault reading (task-\w+): .*it is gone/.exec(line) ?? [];
    if (/^(smaller|adopted)/.test(line)) count(book, line);
    else if (mortal === undefined || book.known.has(mortal)) book.findings.push(line);
  }
  return lines.length;
}

function linesOf(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8").split("\n").slice(0, -1);
}
