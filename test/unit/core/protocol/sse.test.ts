import assert from "node:assert/strict";
import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { isA2aError } from "../../../../src/core/platform/errors.ts";
import {
  createSseParser,
  encodeSseComment,
  encodeSseData,
  encodeSseEvent,
  type SseEvent,
} from "../../../../src/core/protocol/sse.ts";
import { refusal } from "../../../support/refusal.ts";

/** Cuts bytes at these places, which need neither order nor sense. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
}

function parse(text: string | Uint8Array, places: readonly number[] = []): SseEvent[] {
  const parser = createSseParser();
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  return [...cut(bytes, places).flatMap((chunk) => parser.push(chunk)), ...parser.end()];
}

function parseAsOthersDo(bytes: Uint8Array): SseEvent[] {
  const events: SseEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, data, id }) =>
      events.push({ ...(event !== undefined && { event }), data, ...(id !== undefined && { id }) }),
  });
  parser.feed(new TextDecoder().decode(bytes));
  return events;
}

const lineBreak = fc.constantFrom("\n", "\r", "\r\n");
const line = fc.oneof(
  fc.constantFrom("", "", "data", "data:", "data: ", "event: x", "event:", "id: 1", "id", "retry: 5", ": ping", ":"),
  fc.constantFrom('data: {"a":', 'data: "b"}', "data:  two blanks", "id: \0", "unknown: x", " data: x", "data : x"),
  fc.string({ unit: "grapheme" }).map((text) => `data: ${text.replace(/[\r\n]/g, "")}`),
  fc.string({ unit: "binary" }).map((text) => text.replace(/[\r\n]/g, "")),
);
const stream = fc
  .tuple(fc.constantFrom("", "\ufeff"), fc.array(fc.tuple(line, lineBreak), { maxLength: 20 }))
  .map(([mark, lines]) => Buffer.from(`${mark}${lines.flat().join("")}\n\n`));

describe("the event stream parser", () => {
  it("gives the same events however the bytes are cut", () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 30 }), (bytes, places) => {
        assert.deepEqual(parse(bytes, places), parse(bytes));
        assert.deepEqual(parse(bytes, [...bytes.keys()]), parse(bytes));
      }),
    );
  });

  it("gives the events that eventsource-parser gives", () => {
    fc.assert(fc.property(stream, (bytes) => assert.deepEqual(parse(bytes), parseAsOthersDo(bytes))));
  });

  it("gives the same events however the bytes are cut, also when the stream breaks off anywhere", () => {
    fc.assert(
      fc.property(stream, fc.nat(), fc.array(fc.nat(), { maxLength: 30 }), (whole, end, places) => {
        const bytes = whole.subarray(0, end % (whole.length + 1));
        assert.deepEqual(parse(bytes, places), parse(bytes));
        assert.deepEqual(parse(bytes, [...bytes.keys()]), parse(bytes));
      }),
    );
  });

  it("passes its cap, or not, however the bytes are cut, and gives no event that others do not give (C30)", () => {
    const until = (bytes: Uint8Array, places: readonly number[], maxEventBytes: number) => {
      const parser = createSseParser({ maxEventBytes });
      const events: SseEvent[] = [];
      try {
        for (const chunk of cut(bytes, places)) events.push(...parser.push(chunk));
        return { events: [...events, ...parser.end()], broken: false };
      } catch (error) {
        assert.ok(isA2aError(error, "PEER_BAD_REPLY"), String(error));
        return { events, broken: true };
      }
    };
    fc.assert(
      fc.property(
        stream,
        fc.array(fc.nat(), { maxLength: 30 }),
        fc.integer({ min: 1, max: 40 }),
        (bytes, places, cap) => {
          const whole = parse(bytes);
          const byteWise = until(bytes, [...bytes.keys()], cap);
          const pieces = until(bytes, places, cap);
          assert.equal(pieces.broken, byteWise.broken);
          assert.deepEqual(byteWise.events, whole.slice(0, byteWise.events.length));
          assert.deepEqual(pieces.events, whole.slice(0, pieces.events.length));
          if (!pieces.broken) assert.deepEqual(pieces.events, whole);
        },
      ),
    );
  });

  it("takes any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const whole = Buffer.concat([bytes, Buffer.from("\n\n")]);
        assert.deepEqual(parse(whole, [...whole.keys()]), parseAsOthersDo(whole));
      }),
    );
  });

  it("joins data lines with a line break and ignores other fields and comments (C20) [client-sse]", () => {
    const text = 'event: message\nid: 4\n: ping\ndata: {"jsonrpc":"2.0","id":1,\nretry: 10\ndata: "result":{}}\n\n';
    const [event, ...more] = parse(text);
    assert.deepEqual(event, { event: "message", id: "4", data: '{"jsonrpc":"2.0","id":1,\n"result":{}}' });
    assert.deepEqual(JSON.parse(event?.data ?? ""), { jsonrpc: "2.0", id: 1, result: {} });
    assert.deepEqual(more, []);
  });

  it("makes no event of comments and of fields without data (C20)", () => {
    assert.deepEqual(parse(": ping\n\n: ping\n\nevent: x\n\nid: 1\n\n"), []);
  });

  it("forgets type and id after each event", () => {
    assert.deepEqual(parse("event: a\nid: 1\ndata: 1\n\ndata: 2\n\n"), [
      { event: "a", id: "1", data: "1" },
      { data: "2" },
    ]);
  });

  it("keeps text whole when it is cut after any byte (C22) [client-sse]", () => {
    const text = 'data: {"t":"日本語 🧪"}\n\n';
    for (let place = 0; place <= Buffer.byteLength(text); place++) {
      assert.deepEqual(parse(text, [place]), [{ data: '{"t":"日本語 🧪"}' }]);
    }
  });

  it("gives an event as soon as its blank line has come, also when that ends in CR", () => {
    for (const end of ["\n\n", "\r\r", "\r\n\r"]) {
      assert.deepEqual(createSseParser().push(Buffer.from(`data: 1${end}`)), [{ data: "1" }]);
    }
  });

  it("does not take the LF after a CR for another line, also in the next chunk", () => {
    const parser = createSseParser();
    assert.deepEqual(parser.push(Buffer.from("data: 1\r")), []);
    assert.deepEqual(parser.push(Buffer.from("")), []);
    assert.deepEqual(parser.push(Buffer.from("\ndata: 2\r\n\r")), [{ data: "1\n2" }]);
    assert.deepEqual(parser.push(Buffer.from("\n")), []);
  });

  it("does not depend on the chunk after it was pushed", () => {
    const parser = createSseParser();
    const chunk = Buffer.from("data: 1");
    parser.push(chunk);
    chunk.fill(0);
    assert.deepEqual(parser.push(Buffer.from("\n\n")), [{ data: "1" }]);
  });

  it("gives a last event without its blank line when its data is complete JSON (C23)", () => {
    const data = '{"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"status":{"state":"TASK_STATE_COMPLETED"}}}}';
    for (const end of ["", "\n", "\r", "\r\n"]) assert.deepEqual(parse(`data: ${data}${end}`), [{ data }]);
  });

  it("drops a last event whose data is half JSON, without any exception (C23)", () => {
    for (const text of [
      'data: {"jsonrpc":"2.0",',
      'data: {"a":"日本',
      "data:",
      "event: x",
      'data: "a\n',
      `data: ${"[".repeat(9999)}`,
    ]) {
      assert.deepEqual(parse(text), []);
    }
  });

  it("refuses a line without end at the cap (C30)", () => {
    const parser = createSseParser({ maxEventBytes: 100 });
    parser.push(Buffer.from(`data: ${"x".repeat(94)}`));
    assert.match(refusal("PEER_BAD_REPLY", () => parser.push(Buffer.from("x"))).message, /100 bytes/);
  });

  it("refuses an event of endless data lines at the cap, also of empty ones (C30)", () => {
    const flood = (text: string): void => {
      const parser = createSseParser({ maxEventBytes: 1000 });
      for (let n = 0; n < 2000; n++) parser.push(Buffer.from(text));
    };
    refusal("PEER_BAD_REPLY", () => flood("data: xxxxxxxx\n"));
    refusal("PEER_BAD_REPLY", () => flood("data\n"));
  });

  it("takes an event of exactly the cap, counting a line break for each data line", () => {
    const parser = createSseParser({ maxEventBytes: 20 });
    parser.push(Buffer.from(`data: ${"x".repeat(10)}\ndata: ${"x".repeat(8)}\n`));
    assert.equal(parser.push(Buffer.from("\n"))[0]?.data.length, 19);
    parser.push(Buffer.from(`data: ${"x".repeat(10)}\n`));
    refusal("PEER_BAD_REPLY", () => parser.push(Buffer.from(`data: ${"x".repeat(9)}\n`)));
  });

  it("has a cap of 4 MiB unless told otherwise (C30)", () => {
    const parser = createSseParser();
    const chunk = Buffer.alloc(1024 * 1024, "x");
    for (let n = 0; n < 4; n++) parser.push(chunk);
    refusal("PEER_BAD_REPLY", () => parser.push(Buffer.from("x")));
  });

  it("stays broken after the cap was passed", () => {
    const parser = createSseParser({ maxEventBytes: 4 });
    refusal("PEER_BAD_REPLY", () => parser.push(Buffer.from("data: 1\n\n")));
    refusal("PEER_BAD_REPLY", () => parser.push(Buffer.from("\n")));
    refusal("PEER_BAD_REPLY", () => parser.end());
  });

  it("has no cap for a whole stream of events and comments", () => {
    const parser = createSseParser({ maxEventBytes: 20 });
    for (let n = 0; n < 100; n++) {
      assert.deepEqual(parser.push(Buffer.from(": ping\n\ndata: 123456789\n\n")), [{ data: "123456789" }]);
    }
  });
});

describe("the event stream encoder", () => {
  it("writes one data line that reads back the same", () => {
    const json = JSON.stringify({ text: "a\r\nb\u2028c", n: 1 });
    assert.equal(encodeSseData(json), `data: ${json}\n\n`);
    assert.deepEqual(parse(encodeSseData(json) + encodeSseEvent("error", json)), [
      { data: json },
      { event: "error", data: json },
    ]);
  });

  it("writes any JSON and any comments in a way that reads back the same, however it is cut", () => {
    const written = fc.oneof(
      fc.json({ maxDepth: 4 }).map((json) => ({ json, text: encodeSseData(json) })),
      fc.string({ unit: "binary" }).map((comment) => ({ json: undefined, text: encodeSseComment(comment) })),
      fc
        .tuple(fc.string(), fc.jsonValue())
        .map(([name, value]) => JSON.stringify(value, undefined, name.length))
        .map((json) => ({ json, text: encodeSseEvent("error", json) })),
    );
    fc.assert(
      fc.property(fc.array(written, { maxLength: 10 }), fc.array(fc.nat(), { maxLength: 20 }), (pieces, places) => {
        const wanted = pieces.flatMap(({ json }) => (json === undefined ? [] : [JSON.parse(json)]));
        const events = parse(Buffer.from(pieces.map(({ text }) => text).join("")), places);
        assert.deepEqual(
          events.map(({ data }) => JSON.parse(data)),
          wanted,
        );
      }),
    );
  });

  it("never lets a line break out of its line", () => {
    assert.equal(encodeSseData('{\n"a":\r\n1}'), 'data: { "a": 1}\n\n');
    assert.equal(encodeSseComment("a\n\ndata: x"), ": a data: x\n\n");
    assert.equal(encodeSseEvent("a\nb", "1"), "event: a b\ndata: 1\n\n");
  });

  it("writes comments that are no events", () => {
    assert.deepEqual(parse(encodeSseComment() + encodeSseComment("working")), []);
  });
});
