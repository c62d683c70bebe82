// Owns making bad inputs out of good ones: bytes that were hit, and JSON that means something else. The same randomness always makes
// the same input.

import type { Random } from "../../test/hostile/support/random.ts";

/** What parsers trip over. */
const TOKENS = [
  "\r\n",
  "\r\n\r\n",
  "\n",
  "\u0000",
  "\ufeff",
  "\u2028",
  '"',
  '\\"',
  "\\ud800",
  "\\u0000",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "null",
  "1e999",
  "-0",
  "data: ",
  "event: error\n",
  "A2A-Version: 0.3\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Content-Length: 0\r\n",
  "Connection: close\r\n",
  "__proto__",
  "=",
  "#",
  "$HOME",
];

/** Values that are of the wrong kind almost everywhere. */
const STRANGE: readonly unknown[] = [
  null,
  true,
  false,
  "",
  " ",
  "\u0000",
  "x".repeat(5000),
  "é".repeat(40),
  "\ud800",
  "../../etc/passwd",
  "__proto__",
  "2026-13-45T99:99:99Z",
  "http://127.0.0.1:1/",
  "file:///etc/passwd",
  "TASK_STATE_COMPLETED",
  "task-0000000000000001",
  0,
  -0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  1e308,
  [],
  {},
  [[]],
  [null],
  [{}],
  { "": "" },
  { toString: 1, constructor: null },
  Array.from({ length: 300 }, (_, index) => index),
];

const NAMES = [
  "",
  "__proto__",
  "constructor",
  "toString",
  "kind",
  "task",
  "message",
  "id",
  "result",
  "error",
  "a.b",
  "//",
];
const MOST_BYTES = 256 * 1024;

/** The bytes after one to `most` hits. */
export function mutateBytes(random: Random, bytes: Buffer, most = 4): Buffer {
  let mutated = bytes;
  for (let hits = 1 + random.int(most); hits > 0; hits--) mutated = random.pick(HITS)(random, mutated);
  return mutated.subarray(0, MOST_BYTES);
}

type Hit = (random: Random, bytes: Buffer) => Buffer;

const HITS: readonly Hit[] = [
  (random, bytes) => splice(bytes, random.int(bytes.length + 1), 0, random.bytes(1 + random.int(4))),
  (random, bytes) => splice(bytes, random.int(bytes.length + 1), 1, random.bytes(1)),
  (random, bytes) => splice(bytes, random.int(bytes.length + 1), 0, Buffer.from(random.pick(TOKENS))),
  (random, bytes) => splice(bytes, random.int(bytes.length + 1), random.int(20), Buffer.from(random.pick(TOKENS))),
  (random, bytes) => splice(bytes, random.int(bytes.length + 1), random.int(bytes.length + 1), Buffer.alloc(0)),
  (random, bytes) => bytes.subarray(0, random.int(bytes.length + 1)),
  (random, bytes) => repeat(random, bytes),
  (random, bytes) => splice(bytes, random.int(bytes.length + 1), 0, Buffer.alloc(random.int(20_000), random.int(256))),
];

function splice(bytes: Buffer, at: number, gone: number, put: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + gone)]);
}

function repeat(random: Random, bytes: Buffer): Buffer {
  const from = random.int(bytes.length + 1);
  const piece = bytes.subarray(from, from + 1 + random.int(60));
  return splice(bytes, from, 0, Buffer.concat(Array.from({ length: 1 + random.int(200) }, () => piece)));
}

/** The value with one to three changes somewhere in it. */
export function mutateJson(random: Random, value: unknown): unknown {
  let mutated = value;
  for (let changes = 1 + random.int(3); changes > 0; changes--) mutated = change(random, mutated);
  return mutated;
}

/** Changes one of all the values in it, each as likely as the others. */
function change(random: Random, value: unknown): unknown {
  return changeAt(random, value, random.int(sizeOf(value)));
}

/** Values in it, itself included. */
function sizeOf(value: unknown): number {
  return isContainer(value) ? Object.values(value).reduce((sum: number, member) => sum + sizeOf(member), 1) : 1;
}

/** `place` counts the values before the one to change. */
function changeAt(random: Random, value: unknown, place: number): unknown {
  if (!isContainer(value) || place === 0) return replacement(random, value);
  let before = 1;
  const entries = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const from = before;
    before += sizeOf(member);
    if (place < from || place >= before) return [[name, member]];
    return place === from ? changedMember(random, name, member) : [[name, changeAt(random, member, place - from)]];
  });
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
}

function changedMember(random: Random, name: string, member: unknown): [string, unknown][] {
  switch (random.int(8)) {
    case 0:
      return [];
    case 1:
      return [[random.pick(NAMES), member]];
    case 2:
      return [
        [name, member],
        [random.pick(NAMES), random.pick(STRANGE)],
      ];
    default:
      return [[name, replacement(random, member)]];
  }
}

function replacement(random: Random, value: unknown): unknown {
  switch (random.int(5)) {
    case 0:
      return nested(random.pick([1, 30, 70, 300]), value);
    case 1:
      return [value, value];
    case 2:
      return typeof value === "string" ? mutateBytes(random, Buffer.from(value)).toString() : JSON.stringify(value);
    default:
      return random.pick(STRANGE);
  }
}

function nested(depth: number, value: unknown): unknown {
  let outer = value;
  for (let level = 0; level < depth; level++) outer = level % 2 === 0 ? [outer] : { a: outer };
  return outer;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The value as JSON text: mostly changed in what it means, else in its bytes, or in both. */
export function mutateText(random: Random, value: unknown): Buffer {
  const how = random.int(8);
  const text = Buffer.from(JSON.stringify(how === 0 ? value : mutateJson(random, value)) ?? "");
  return how <= 1 ? mutateBytes(random, text) : text;
}

/** The same for one member of an object, when the others should mostly stay good. */
export function mutateMember(random: Random, value: object, name: string): Buffer {
  if (random.int(4) === 0) return mutateText(random, value);
  const entries = Object.entries(value).map(([key, member]) => [
    key,
    key === name ? mutateJson(random, member) : member,
  ]);
  return Buffer.from(JSON.stringify(Object.fromEntries(entries)));
}
