import assert from "node:assert/strict";
import { isoTime } from "../../../../../src/core/platform/clock.ts";
import type { AuditEntry } from "../../../../../src/core/ports.ts";
import {
  auditLine,
  countLine,
  lostLine,
  PREVIEW,
  shortened,
} from "../../../../../src/core/security/audit/audit-line.ts";
import { createRedaction } from "../../../../../src/core/security/redact/redaction.ts";
import { alnum } from "../../../../support/fake-keys.ts";

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const redaction = createRedaction(() => ["hunter2hunter2"]);

describe("audit line", () => {
  const entry = (fields: Partial<AuditEntry> = {}): AuditEntry => ({
    direction: "in",
    event: "arrival",
    identity: "alice",
    ...fields,
  });
  const line = (fields: Partial<AuditEntry> = {}): Record<string, unknown> => {
    const text = auditLine(shortened(entry(fields)), isoTime(AT), redaction);
    assert.match(text, /^[^\n]*\n$/);
    return JSON.parse(text);
  };

  it("holds what is known, in one order, and nothing else", () => {
    const text = auditLine(
      shortened(
        entry({
          preview: [{ text: "Look at\nthe files" }],
          bytes: 120,
          principal: "peer:alice",
          method: "SendMessage",
          taskId: "task-0123456789abcdef",
          contextId: "ctx-0123456789abcdef",
          ms: 12.4,
          state: "TASK_STATE_COMPLETED",
        }),
      ),
      isoTime(AT),
      redaction,
    );
    assert.equal(
      text,
      '{"ts":"2026-01-02T03:04:05.678Z","direction":"in","event":"arrival","identity":"alice","principal":"peer:alice","method":"SendMessage","taskId":"task-0123456789abcdef","contextId":"ctx-0123456789abcdef","state":"TASK_STATE_COMPLETED","ms":12,"bytes":120,"preview":"Look at the files"}\n',
    );
  });

  it("takes secrets out of everything that others wrote (X10)", () => {
    const secret = `ghp_${alnum(36)}`;
    const shown = JSON.stringify(
      line({
        asserted: `me ${secret}`,
        method: `Do ${secret}`,
        taskId: `x ${secret}`,
        contextId: secret,
        preview: [{ text: `the key is ${secret}` }, { text: "and hunter2hunter2" }],
      }),
    );
    assert.ok(!shown.includes(secret) && !shown.includes("hunter2"), shown);
    assert.match(shown, /the key is \[redacted: /);
  });

  it("never shows the beginning of a secret that is cut, wherever the cut falls", () => {
    const secret = `ghp_${alnum(36)}`;
    for (let before = 200; before < 640; before++) {
      const shown = String(
        line({ preview: [{ text: `${"a ".repeat(before / 2)}${secret} and more`.padEnd(2000, " b") }] }).preview,
      );
      assert.ok(!shown.includes(secret.slice(0, 12)), `${before}: ${shown}`);
    }
  });

  it("keeps previews short, on one line, and files and data by name only", () => {
    const long = line({ preview: [{ text: `\n\n  ${"word ".repeat(1000)}` }] }).preview;
    assert.equal([...String(long)].length, PREVIEW);
    const mixed = line({
      preview: [
        { text: "see" },
        { raw: "AAAA", filename: "a\u001b[2J.txt" },
        { data: { password: "x" } },
        { url: "http://x" },
      ],
    });
    assert.equal(mixed.preview, "see [file a.txt] [data] [file]");
  });

  it("holds on to little of a long message while it waits", () => {
    const kept = shortened(
      entry({ taskId: "t".repeat(1e6), preview: [{ text: "x".repeat(5e6) }, { text: "y".repeat(5e6) }] }),
    );
    assert.ok(JSON.stringify(kept).length < 2000);
  });

  it("says how many more there were, and which are missing", () => {
    const like = entry({
      event: "refused",
      identity: "ip:192.0.2.1",
      error: "UNAUTHORIZED",
      method: "GetTask",
      taskId: "x",
    });
    const counted = JSON.parse(countLine({ like, count: 40, since: AT - 59_600 }, AT, redaction));
    assert.equal(counted.text, "40 more refused in 60 s");
    assert.deepEqual(
      [counted.count, counted.identity, counted.error, counted.taskId],
      [40, "ip:192.0.2.1", "UNAUTHORIZED", undefined],
    );
    const calls = JSON.parse(
      countLine({ like: entry({ event: "call", method: "GetTask" }), count: 2, since: AT }, AT, redaction),
    );
    assert.deepEqual([calls.text, calls.method], ["2 more calls in 1 s", "GetTask"]);
    assert.match(lostLine(3, AT), /"event":"lost","count":3/);
  });
});
