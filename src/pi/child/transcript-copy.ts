// A transcript's text -> the text of its continuation under another name. Pure. The source is never changed: two tasks must
// not write to one file, and Pi's own fork neither takes a name nor survives a torn line.

import { isObject } from "../../core/platform/json.ts";

/**
 * The lines of `source` under `header`; undefined when it holds no conversation. Lines that cannot be decoded (a killed process
 * leaves half a line) are dropped, and what stood behind them is linked to what stood before: the conversation is read
 * backwards along these links, and a gap would cut off everything older.
 */
export function continueTranscript(source: string, header: object): string | undefined {
  const lines = [JSON.stringify(header)];
  const ids = new Set<unknown>([null]);
  let previous: unknown = null;
  let messages = 0;
  for (const line of source.split("\n")) {
    const entry = decodeLine(line);
    if (entry === undefined || entry.type === "session" || typeof entry.id !== "string") continue;
    lines.push(ids.has(entry.parentId ?? null) ? line : JSON.stringify({ ...entry, parentId: previous }));
    previous = entry.id;
    ids.add(previous);
    if (entry.type === "message") messages++;
  }
  return messages === 0 ? undefined : `${lines.join("\n")}\n`;
}

function decodeLine(line: string): Record<string, unknown> | undefined {
  if (line.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
