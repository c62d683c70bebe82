import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeStreamResponse } from "../../../src/core/protocol/encode.ts";
import type { TaskArtifactUpdate } from "../../../src/core/protocol/types.ts";
import { createPieceEncoder } from "../../../src/inbound/piece-encoder.ts";

const id = fc.oneof(fc.constantFrom("a", "b"), fc.string({ unit: "binary" }));
const piece: fc.Arbitrary<TaskArtifactUpdate> = fc.record({
  taskId: id,
  contextId: id,
  artifact: fc.record({ artifactId: id, parts: fc.tuple(fc.record({ text: fc.string({ unit: "binary" }) })) }),
  append: fc.boolean(),
  lastChunk: fc.boolean(),
});

describe("the encoder of pieces of live text", () => {
  it("gives the letters of the plain encoder, whatever came before", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (updates) => {
        const encode = createPieceEncoder();
        for (const artifactUpdate of updates) {
          assert.equal(encode(artifactUpdate), JSON.stringify(encodeStreamResponse({ artifactUpdate })));
        }
      }),
    );
  });

  const bare = { artifactId: "reply", parts: [{ text: "a" }] };
  const others: Readonly<Record<string, Partial<TaskArtifactUpdate>>> = {
    "two parts": { artifact: { ...bare, parts: [{ text: "a" }, { text: "b" }] } },
    "no part": { artifact: { ...bare, parts: [] } },
    "a part that is no text": { artifact: { ...bare, parts: [{ data: 1 }] } },
    "a text with a type": { artifact: { ...bare, parts: [{ text: "a", mediaType: "text/markdown" }] } },
    "a text with a file name": { artifact: { ...bare, parts: [{ text: "a", filename: "a.txt" }] } },
    "a text with metadata": { artifact: { ...bare, parts: [{ text: "a", metadata: { a: 1 } }] } },
    "a name": { artifact: { ...bare, name: "n" } },
    "a description": { artifact: { ...bare, description: "d" } },
    "metadata of the artifact": { artifact: { ...bare, metadata: { a: 1 } } },
    extensions: { artifact: { ...bare, extensions: ["urn:e"] } },
    "metadata of the update": { metadata: { a: 1 } },
  };
  for (const [what, other] of Object.entries(others)) {
    it(`leaves an update with ${what} to the plain encoder`, () => {
      const update = { taskId: "t", contextId: "c", artifact: bare, append: true, lastChunk: false };
      assert.equal(createPieceEncoder()({ ...update, ...other }), undefined);
    });
  }
});
