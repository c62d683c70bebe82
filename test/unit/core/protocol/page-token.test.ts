import assert from "node:assert/strict";
import fc from "fast-check";
import { decodePageToken, encodePageToken, positionOf } from "../../../../src/core/protocol/page-token.ts";
import { task } from "../../../support/builders.ts";

describe("page tokens", () => {
  it("give back the position that they were made of, and stand in a URL as they are", () => {
    const at = fc.integer({ min: 0, max: Date.UTC(2200, 0) });
    const id = fc.string({ minLength: 1, unit: "grapheme" });
    fc.assert(
      fc.property(at, id, (ms, text) => {
        const token = encodePageToken({ at: ms, id: text });
        assert.match(token, /^[\w-]+$/);
        assert.deepEqual(decodePageToken(token), { at: ms, id: text });
      }),
    );
  });

  it("are refused when somebody else wrote them", () => {
    const text = (value: string): string => Buffer.from(value).toString("base64url");
    const good = encodePageToken({ at: 0, id: "task-1" });
    const wrong = ["", "%%%", "x", `${good}=`, `${good} `, good.slice(1), text("|"), text("2026-01-01T00:00:00.000Z|")];
    const odd = [
      "1970-01-01|task-1",
      "|task-1",
      "now|task-1",
      "1970-01-01T00:00:00.000Z",
      "1970-01-01T01:00:00.000+01:00|a",
    ];
    for (const token of [...wrong, ...odd.map(text)]) assert.equal(decodePageToken(token), undefined, token);
    fc.assert(
      fc.property(fc.string(), (noise) => {
        const position = decodePageToken(noise);
        if (position !== undefined) assert.equal(encodePageToken(position), noise);
      }),
    );
  });

  it("stand for the time of the status and the id of a task", () => {
    assert.deepEqual(positionOf(task()), { at: Date.UTC(2026, 0, 1), id: task().id });
  });
});
