// Owns the judgement over what a server sent: replies in HTTP, no status of a fault but busy, JSON that is JSON, no inner error.

import { isRecord } from "./json.ts";

const HEAD = /^HTTP\/1\.1 (\d{3})[^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/;
const BUSY = 503;

export interface Judged {
  /** Each reply in short, such as `200 -32602`. */
  readonly labels: readonly string[];
  /** "" is all well. */
  readonly wrong: string;
  /** True when the last reply has its whole body. */
  readonly isWhole: boolean;
}

/** Takes replies one after the other; the last one may be cut. */
export function judgeReplies(received: Buffer): Judged {
  const labels: string[] = [];
  const wrong: string[] = [];
  let isWhole = false;
  for (let rest = received.toString("latin1"); rest !== ""; ) {
    const head = HEAD.exec(rest);
    if (head === null) {
      if (rest.includes("\r\n\r\n")) wrong.push(`no HTTP: ${JSON.stringify(rest.slice(0, 200))}`);
      break;
    }
    const [whole, status = "", headers = ""] = head;
    const { body, next } = bodyOf(Number(status), headers, rest.slice(whole.length));
    rest = next;
    if (status === "100") continue;
    isWhole = body !== undefined;
    const { code, message } = errorIn(body);
    labels.push(`${status} ${code}`.trim());
    wrong.push(...faultsOf({ status: Number(status), headers, body, message }));
  }
  return { labels, wrong: wrong.join("; "), isWhole };
}

interface Reply {
  readonly status: number;
  readonly headers: string;
  readonly body: string | undefined;
  readonly message: string;
}

function faultsOf({ status, headers, body, message }: Reply): readonly string[] {
  const isBroken =
    body !== undefined && status !== 304 && /application\/json/.test(headers) && parsed(body) === undefined;
  return [
    ...(status >= 500 && status !== BUSY ? [`HTTP ${status}`] : []),
    ...(message.startsWith("internal error") ? [message] : []),
    ...(isBroken ? ["a reply that is no JSON"] : []),
  ];
}

interface Body {
  /** Undefined when it is cut; "" where there is none. */
  readonly body: string | undefined;
  readonly next: string;
}

function bodyOf(status: number, headers: string, rest: string): Body {
  if (status < 200 || status === 204 || status === 304) return { body: "", next: rest };
  const length = /^content-length: (\d+)\r$/im.exec(headers)?.[1];
  if (length !== undefined) {
    const end = Number(length);
    return { body: rest.length < end ? undefined : rest.slice(0, end), next: rest.slice(end) };
  }
  return /^transfer-encoding: chunked\r$/im.test(headers) ? dechunked(rest) : { body: rest, next: "" };
}

function dechunked(text: string): Body {
  let body = "";
  let rest = text;
  for (;;) {
    const size = /^([0-9a-f]+)\r\n/i.exec(rest);
    if (size === null) return { body: undefined, next: "" };
    const length = Number.parseInt(size[1] ?? "0", 16);
    const from = size[0].length;
    if (length === 0) return { body, next: rest.slice(from + 2) };
    body += rest.slice(from, from + length);
    rest = rest.slice(from + length + 2);
  }
}

function errorIn(body: string | undefined): { readonly code: string; readonly message: string } {
  const value = body === undefined ? undefined : parsed(body);
  if (!isRecord(value) || !isRecord(value.error)) return { code: "", message: "" };
  return { code: String(value.error.code), message: String(value.error.message) };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(Buffer.from(body, "latin1").toString());
  } catch {
    return undefined;
  }
}
