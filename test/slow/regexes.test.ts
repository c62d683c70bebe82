// No regular expression that sees others' text may take longer than linear time, whatever that text is.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { check } from "recheck";
import { PATTERNS } from "../../src/core/security/defang.ts";
import { ROOT } from "../arch/tree.ts";
import { regexLiterals } from "../support/regex-literals.ts";

const FOLDER = "src/core/security";

function sourceFiles(): string[] {
  const names = readdirSync(join(ROOT, FOLDER), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).map((name) => join(FOLDER, name));
}

describe("the regular expressions of core/security", function () {
  this.timeout(60_000);
  const { RECHECK_BACKEND } = process.env;
  before(() => {
    // Neither a Java machine nor a child process.
    process.env.RECHECK_BACKEND = "pure";
  });
  after(() => {
    if (RECHECK_BACKEND === undefined) delete process.env.RECHECK_BACKEND;
    else process.env.RECHECK_BACKEND = RECHECK_BACKEND;
  });

  for (const path of sourceFiles()) {
    const literals = regexLiterals(path);
    if (literals.length === 0) continue;
    it(`are linear in ${path}`, async () => {
      for (const { source, flags } of literals) await assertLinear(source, flags);
    });
  }

  for (const { source, flags } of PATTERNS) {
    it(`are linear: ${source.slice(0, 50)}`, () => assertLinear(source, flags));
  }

  it("would be caught if they were not", async () => {
    await assert.rejects(assertLinear("^(a+)+$", ""), /vulnerable/);
  });
});

async function assertLinear(source: string, flags: string): Promise<void> {
  const { status } = await check(source, flags, { timeout: 50_000 });
  assert.equal(status, "safe", `${status}: /${source}/${flags}`);
}
