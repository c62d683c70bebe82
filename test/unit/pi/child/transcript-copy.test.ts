import assert from "node:assert/strict";
import { continueTranscript } from "../../../../src/pi/child/transcript-copy.ts";

const HEADER = { type: "session", version: 3, id: "new", cwd: "/w" };

describe("continueTranscript", () => {
  it("puts the new header in the place of the old one and keeps every other line as it is", () => {
    const lines = [entry("a", null), '{ "type":"custom", "id":"b", "parentId":"a" }', entry("c", "b")];
    const copy = continueTranscript(['{"type":"session","id":"old"}', ...lines, ""].join("\n"), HEADER);
    assert.equal(copy, [JSON.stringify(HEADER), ...lines, ""].join("\n"));
  });

  it("drops what cannot be decoded and links what stood behind it to what stood before", () => {
    const source = [entry("a", null), '{"type":"mess', "null", "[]", entry("c", "lost"), entry("d", "c")].join("\n");
    const parents = decode(continueTranscript(source, HEADER)).map(({ id, parentId }) => [id, parentId]);
    assert.deepEqual(parents.slice(1), [
      ["a", null],
      ["c", "a"],
      ["d", "c"],
    ]);
  });

  it("keeps branches: a link to any earlier line stays", () => {
    const source = [entry("a", null), entry("b", "a"), entry("c", "a")].join("\n");
    assert.deepEqual(decode(continueTranscript(source, HEADER)).at(-1)?.parentId, "a");
  });

  it("gives nothing when there is no message to go on from", () => {
    assert.equal(continueTranscript("", HEADER), undefined);
    assert.equal(
      continueTranscript('{"type":"session","id":"old"}\n{"type":"model_change","id":"a"}\n', HEADER),
      undefined,
    );
  });
});

function entry(id: string, parentId: string | null): string {
  return JSON.stringify({ type: "message", id, parentId, message: { role: "user", content: id } });
}

function decode(copy: string | undefined): Record<string, unknown>[] {
  assert.ok(copy !== undefined);
  return copy
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
