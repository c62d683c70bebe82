import assert from "node:assert/strict";
import { createJournalFiles } from "../../../../src/core/platform/journal-files.ts";
import type { Segment } from "../../../../src/engine/journal/segment.ts";
import { createJournalWriter } from "../../../../src/engine/journal/writer.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { createTempDir, type TempDir } from "../../../support/temp-dir.ts";

describe("journal: writer", () => {
  let dir: TempDir;
  beforeEach(async () => {
    dir = await createTempDir();
  });
  afterEach(() => dir.remove());

  it("tells of a new file when it is the one that grows, so that nobody takes it for an empty one", async () => {
    const seen: { readonly segment: Segment; readonly active: Segment | undefined }[] = [];
    const writer = createJournalWriter(
      {
        ...{ folder: dir.path, key: "server-1", journalFiles: createJournalFiles(createFakeClock()) },
        ...{ sync: () => false, segmentBytes: 4, prepare: async () => undefined },
      },
      (segment) => seen.push({ segment, active: writer.active }),
    );
    for (const line of ["one\n", "two\n", "three\n"]) await writer.add([{ text: line, bytes: line.length }]);
    assert.equal(seen.length, 3);
    for (const { segment, active } of seen) assert.equal(active, segment);
    for (const { segment } of seen) await (await segment.reader)?.close();
  });
});
