import assert from "node:assert/strict";
import { timingSafeEqual } from "node:crypto";
import { createTokenBook } from "../../../../src/inbound/admission/token-book.ts";
import { peerToken, sharedToken } from "../../../support/admission-rules.ts";

const KNOWN = [peerToken("alice"), peerToken("bob"), peerToken("carol", "öäü €"), sharedToken()];

describe("createTokenBook", () => {
  const lengths: number[] = [];
  const book = createTokenBook(KNOWN, (left, right) => {
    lengths.push(left.byteLength, right.byteLength);
    return timingSafeEqual(left, right);
  });
  beforeEach(() => lengths.splice(0));

  for (const [place, entry] of KNOWN.entries()) {
    it(`finds token ${place} with as many comparisons as for any other`, () => {
      assert.equal(book.find(entry.token), entry);
      assert.equal(lengths.length / 2, KNOWN.length);
    });
  }

  for (const wrong of ["", "t", "token-of-alic", "token-of-alice ", "TOKEN-OF-ALICE", "x".repeat(100_000)]) {
    it(`finds nobody for ${wrong.length} wrong letters, with as many comparisons of digests of one length`, () => {
      assert.equal(book.find(wrong), undefined);
      assert.equal(lengths.length / 2, KNOWN.length);
      assert.deepEqual([...new Set(lengths)], [32]);
    });
  }

  it("gives the first of two entries with the same token", () => {
    const twins = createTokenBook([peerToken("alice", "same"), sharedToken("same")]);
    assert.equal(twins.find("same")?.key, "peer:alice");
  });

  it("leaves out empty tokens, which nobody must be able to present", () => {
    const empty = createTokenBook([sharedToken("")]);
    assert.equal(empty.size, 0);
    assert.equal(empty.find(""), undefined);
  });
});
