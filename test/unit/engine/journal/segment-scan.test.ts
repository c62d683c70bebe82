import assert from "node:assert/strict";
import fc from "fast-check";
import type { PlacedFile } from "../../../../src/core/platform/journal-files.ts";
import { scanLines } from "../../../../src/engine/journal/segment-scan.ts";
import { textMessage } from "../../../support/builders.ts";
import { lineBytes } from "../../../support/journal-lines.ts";

function fileOf(content: Buffer, most = Number.POSITIVE_INFINITY): PlacedFile {
  return {
    size: content.length,
    read: async (offset, length) => content.subarray(offset, offset + Math.min(length, most)),
    close: async () => undefined,
  };
}

function messageLine(n: number, text = `text ${n} ü`): Buffer {
  const frame = { taskId: `task-${n}`, contextId: "ctx", at: n };
  return lineBytes({ event: { kind: "message", ...frame, message: textMessage(text) } }, n);
}

async function scan(content: Buffer, most?: number): Promise<{ readonly ids: string[]; readonly damaged: number }> {
  const ids: string[] = [];
  const { damaged } = await scanLines(fileOf(content, most), ({ head, offset, bytes }) => {
    ids.push(head.taskId);
    assert.deepEqual(content.subarray(offset, offset + bytes.length), bytes);
  });
  return { ids, damaged };
}

describe("scanning a file of lines", () => {
  it("gives exactly the whole lines of a file that was cut at any byte", async () => {
    const lines = [messageLine(1), messageLine(2), messageLine(3)];
    const content = Buffer.concat(lines);
    const ends = lines.map((_line, at) => Buffer.concat(lines.slice(0, at + 1)).length);
    for (let cut = 0; cut <= content.length; cut++) {
      const whole = ends.filter((end) => end <= cut).length;
      assert.deepEqual(await scan(content.subarray(0, cut)), {
        ids: ["task-1", "task-2", "task-3"].slice(0, whole),
        damaged: 0,
      });
    }
  });

  it("finds the lines among garbage, and counts it", async () => {
    const garbage = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10)));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(garbage, { nil: undefined }), { maxLength: 8 }),
        fc.integer({ min: 1, max: 64 }),
        async (all, most) => {
          const lines = all.map((bytes, n) =>
            bytes === undefined ? messageLine(n) : Buffer.concat([bytes, Buffer.from("\n")]),
          );
          const ids = all.flatMap((bytes, n) => (bytes === undefined ? [`task-${n}`] : []));
          assert.deepEqual(await scan(Buffer.concat(lines), most), { ids, damaged: all.length - ids.length });
        },
      ),
    );
  });

  it("takes long lines and megabytes without a newline", async () => {
    const long = messageLine(1, "x".repeat(3 * 1024 * 1024));
    const noise = Buffer.alloc(20 * 1024 * 1024, 0);
    assert.deepEqual(await scan(Buffer.concat([messageLine(0), long, messageLine(2)])), {
      ids: ["task-0", "task-1", "task-2"],
      damaged: 0,
    });
    assert.deepEqual(await scan(Buffer.concat([messageLine(0), noise])), { ids: ["task-0"], damaged: 0 });
    assert.deepEqual(await scan(Buffer.concat([noise, Buffer.from("\n"), messageLine(0)])), {
      ids: ["task-0"],
      damaged: 1,
    });
  });
});
