// Owns server-sent events (WHATWG HTML §9.2) as A2A streams use them: a parser over bytes that are cut anywhere, and the frame
// encoders. Never keeps more than one event of a peer, and never more of it than the cap.

import { A2aError, isA2aError } from "../platform/errors.ts";
import { parseJson } from "../platform/json.ts";
import { createLineSplitter } from "./sse-lines.ts";

export interface SseEvent {
  /** Absent for the default type. */
  readonly event?: string;
  readonly data: string;
  readonly id?: string;
}

export interface SseParser {
  /** The events that this chunk completes; PEER_BAD_REPLY once a line or an event is over the cap, and ever after. */
  push(chunk: Uint8Array): SseEvent[];
  /** The stream has ended: an event that lacks only its blank line is given when its data is complete JSON. */
  end(): SseEvent[];
}

const DEFAULT_CAP_BYTES = 4 * 1024 * 1024;

/** A parser for one stream; `maxEventBytes` bounds each line and the data of each event. */
export function createSseParser(options: { readonly maxEventBytes?: number } = {}): SseParser {
  const cap = options.maxEventBytes ?? DEFAULT_CAP_BYTES;
  const lines = createLineSplitter(cap, tooLarge);
  const fields = createFieldReader(cap);
  let failure: unknown;

  const run = (take: () => string[]): SseEvent[] => {
    if (failure !== undefined) throw failure;
    try {
      const events: SseEvent[] = [];
      for (const line of take()) {
        const event = fields.line(line);
        if (event !== undefined) events.push(event);
      }
      return events;
    } catch (error) {
      failure = error;
      throw error;
    }
  };

  return {
    push: (chunk) => run(() => lines.push(chunk)),
    end() {
      const events = run(lines.end);
      const last = fields.line("");
      return last !== undefined && isJson(last.data) ? [...events, last] : events;
    },
  };
}

interface FieldReader {
  /** Takes one line; a blank one gives the event that it ends. */
  line(text: string): SseEvent | undefined;
}

function createFieldReader(cap: number): FieldReader {
  let data: string[] = [];
  let dataBytes = 0;
  let event = "";
  let id: string | undefined;

  const takeEvent = (): SseEvent | undefined => {
    const done =
      data.length === 0
        ? undefined
        : { ...(event !== "" && { event }), data: data.join("\n"), ...(id !== undefined && { id }) };
    if (done !== undefined) data = [];
    dataBytes = 0;
    event = "";
    id = undefined;
    return done;
  };
  const addData = (value: string): void => {
    dataBytes += Buffer.byteLength(value) + 1;
    if (dataBytes > cap) throw tooLarge(cap);
    data.push(value);
  };

  return {
    line(text) {
      if (text === "") return takeEvent();
      const [name, value] = splitField(text);
      if (name === "data") addData(value);
      else if (name === "event") event = value;
      else if (name === "id" && !value.includes("\0")) id = value;
      return undefined;
    },
  };
}

/** `name: value`; a comment has the name "". */
function splitField(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  if (colon === -1) return [line, ""];
  return [line.slice(0, colon), line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1)];
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch (error) {
    if (isA2aError(error)) return false;
    throw error;
  }
}

function tooLarge(cap: number): A2aError {
  return new A2aError("PEER_BAD_REPLY", `the peer's stream has an event of more than ${cap} bytes`, {
    hint: "Ask the peer to pass large files by url.",
  });
}

/** One event with `json` in a single data line. */
export function encodeSseData(json: string): string {
  return `data: ${oneLine(json)}\n\n`;
}

/** One event of type `name` with `json` in a single data line. */
export function encodeSseEvent(name: string, json: string): string {
  return `event: ${oneLine(name)}\n${encodeSseData(json)}`;
}

/** A comment, which readers ignore; it shows that the stream is alive. */
export function encodeSseComment(text = ""): string {
  return `: ${oneLine(text)}\n\n`;
}

/** A raw line break in JSON text can only stand between tokens, where a blank means the same. */
function oneLine(text: string): string {
  if (!text.includes("\n") && !text.includes("\r")) return text;
  return text.replace(/[\r\n]+/g, " ");
}
