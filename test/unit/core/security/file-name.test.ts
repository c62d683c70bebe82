import assert from "node:assert/strict";
import fc from "fast-check";
import { freeFileName, idFileName, nameKey, safeFileName } from "../../../../src/core/security/file-name.ts";

describe("safeFileName", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["report.pdf", "report.pdf"],
    ["../../x", "x"],
    ["..\\..\\x.txt", "x.txt"],
    ["/etc/passwd", "passwd"],
    ["C:evil", "C_evil"],
    ["folder/", "folder"],
    [".env", "env"],
    ["...", "file"],
    ["", "file"],
    ["a\u0000b\n\u001b[2Jc.txt", "a_b_2Jc.txt"],
    ["a\u202etxt.exe", "a_txt.exe"],
    ["--help", "help"],
    ["a;rm -rf ~ $(x) `y`.sh", "a_rm_-rf_x_y_.sh"],
    ["CON", "file_CON"],
    ["nul.txt", "file_nul.txt"],
    ["com1", "file_com1"],
    ["console.log", "console.log"],
    ["name. . ", "name"],
    ["ÅÅ.png", "ÅÅ.png"],
    ["日本語.txt", "日本語.txt"],
    ["archive.tar.gz", "archive.tar.gz"],
  ];
  for (const [name, safe] of cases) {
    it(`makes ${JSON.stringify(safe)} of ${JSON.stringify(name)} (X11)`, () => {
      assert.equal(safeFileName(name, "file"), safe);
    });
  }

  it("shortens a long name and keeps its extension (X11)", () => {
    const safe = safeFileName(`${"x".repeat(5000)}.pdf`, "file");
    assert.equal(safe, `${"x".repeat(76)}.pdf`);
    assert.ok(Buffer.byteLength(safeFileName(`${"語".repeat(5000)}.pdf`, "file")) <= 180);
  });

  it("is one plain segment whatever it is given (X11)", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (name) => {
        const safe = safeFileName(name, "file");
        assert.match(safe, /^[\p{L}\p{Nd}\p{M}][\p{L}\p{M}\p{Nd}._-]*$/u);
        assert.doesNotMatch(safe, /[._-]$/);
        assert.ok(Buffer.byteLength(safe) <= 180);
        assert.doesNotMatch(safe, /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
      }),
    );
  });
});

describe("freeFileName", () => {
  it("numbers equal names before their extension, whatever their case", () => {
    const taken = new Set<string>();
    const names = ["a.txt", "A.txt", "a.TXT", "b", "b"].map((name) => {
      const free = freeFileName(name, (candidate) => taken.has(nameKey(candidate)));
      taken.add(nameKey(free));
      return free;
    });
    assert.deepEqual(names, ["a.txt", "A-2.txt", "a-3.TXT", "b", "b-2"]);
  });
});

describe("idFileName", () => {
  it("keeps plain ids and hashes all others, each to its own name (X11)", () => {
    assert.equal(idFileName("task-0123456789abcdef"), "task-0123456789abcdef");
    const odd = [
      "../../../../tmp/pwned",
      "..\\..\\x",
      "C:evil",
      "CON",
      "con",
      "x".repeat(65),
      "x".repeat(5000),
      "a\u0000b",
      "ÅÅ",
      "/etc/passwd",
      "",
      "-a",
      "A",
      `h-${"0".repeat(64)}`,
    ];
    const names = odd.map(idFileName);
    for (const name of names) assert.match(name, /^h-[0-9a-f]{64}$/);
    assert.equal(new Set(names).size, odd.length);
  });
});
