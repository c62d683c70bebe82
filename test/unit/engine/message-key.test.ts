import assert from "node:assert/strict";
import fc from "fast-check";
import type { Message, Part } from "../../../src/core/protocol/types.ts";
import { messageKey } from "../../../src/engine/message-key.ts";
import { userMessage } from "../../support/builders.ts";

const same = (a: Partial<Message>, b: Partial<Message>): boolean =>
  messageKey(userMessage(a)) === messageKey(userMessage(b));

describe("messageKey", () => {
  it("tells messages apart by id, context, task and parts", () => {
    const variants: Partial<Message>[] = [
      {},
      { messageId: "m-x" },
      { contextId: "ctx" },
      { taskId: "ctx" },
      { contextId: "ctx", taskId: "ctx" },
      { parts: [{ text: "hello " }] },
      { parts: [{ text: "hello" }, { text: "" }] },
      { parts: [{ url: "hello" }] },
      { parts: [{ raw: "hello" }] },
      { parts: [{ data: "hello" }] },
      { parts: [{ text: "hello", mediaType: "text/plain" }] },
      { parts: [{ text: "hello", metadata: { a: 1 } }] },
    ];
    assert.equal(new Set(variants.map((variant) => messageKey(userMessage(variant)))).size, variants.length);
  });

  it("does not look at the metadata of the message, which says how it was sent", () => {
    assert.ok(same({}, { metadata: { attempt: 2, traceparent: "00-1-2-01" }, extensions: ["urn:x"] }));
  });

  it("does not look at the order of members", () => {
    const parts: Part[] = [{ data: { a: [{ x: 1, y: { p: 1, q: 2 } }], b: 2 }, filename: "f" }];
    const turned: Part[] = [{ filename: "f", data: { b: 2, a: [{ y: { q: 2, p: 1 }, x: 1 }] } }];
    assert.ok(same({ parts }, { parts: turned }));
    assert.ok(!same({ parts: [{ data: [1, 2] }] }, { parts: [{ data: [2, 1] }] }));
  });

  it("is the same for whatever is the same, and another one for whatever is not", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const equal = JSON.stringify(a) === JSON.stringify(b);
        const [one, two] = [a, b].map((data) => messageKey(userMessage({ parts: [{ data: data as never }] })));
        assert.equal(messageKey(userMessage({ parts: [{ data: structuredClone(a) as never }] })), one);
        if (!equal) assert.ok(one !== two || canonical(a) === canonical(b));
      }),
    );
  });

  it("takes the largest messages that are let in", () => {
    const data = Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`k${(n * 7919) % 30_000}`, n]));
    assert.ok(same({ parts: [{ data }] }, { parts: [{ data: { ...data } }] }));
    assert.ok(!same({ parts: [{ data }] }, { parts: [{ data: { ...data, k7: -1 } }] }));
  });
});

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
