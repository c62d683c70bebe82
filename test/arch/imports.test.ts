// Runs the rules of .dependency-cruiser.cjs over src, and over a tree of files that break them one by one.

import assert from "node:assert/strict";
import { join } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import extractConfig from "dependency-cruiser/config-utl/extract-depcruise-config";
import extractTsConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { ROOT, readText, typescriptFiles } from "./tree.ts";

const FIXTURES = join(ROOT, "test/arch/fixtures/imports");

async function ruleSet() {
  const { forbidden, options } = await extractConfig(join(ROOT, ".dependency-cruiser.cjs"));
  assert.ok(forbidden && options);
  return { forbidden, options };
}

async function cruiseSources(base: string): Promise<ICruiseResult> {
  const { forbidden, options } = await ruleSet();
  const { output } = await cruise(
    ["src"],
    { ...options, baseDir: base, validate: true, ruleSet: { forbidden } },
    undefined,
    { tsConfig: extractTsConfig(join(ROOT, "tsconfig.json")) },
  );
  assert.ok(typeof output === "object");
  return output;
}

/** The files below src that the cruiser read, sorted. */
function seen(result: ICruiseResult): string[] {
  return result.modules
    .filter((module) => !module.couldNotResolve && module.source.startsWith("src/"))
    .map((module) => module.source)
    .sort();
}

function broken(result: ICruiseResult): string[] {
  const lines = result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
  return [...new Set(lines)].sort();
}

/** The rule names in the first line `// breaks: a b` of a fixture. */
function announced(file: string): string[] {
  const names = /^\/\/ breaks: (.+)/.exec(readText(file, FIXTURES))?.[1];
  return names === undefined ? [] : names.split(" ");
}

describe("imports", function () {
  this.timeout(60_000);
  let source: ICruiseResult;
  let fixtures: ICruiseResult;

  before(async () => {
    source = await cruiseSources(ROOT);
    fixtures = await cruiseSources(FIXTURES);
  });

  it("follow the flow entry -> pi -> wings -> engine -> core", () => {
    assert.deepEqual(broken(source), []);
  });

  it("are checked in every source file", () => {
    assert.deepEqual(seen(source), typescriptFiles("src"));
  });

  it("that break a rule are caught, and no others", () => {
    const files = typescriptFiles("src", FIXTURES);
    const expected = files.flatMap((file) => announced(file).map((rule) => `${rule}: ${file}`));
    const caught = broken(fixtures).map((line) => line.replace(/ -> .*/, ""));
    assert.deepEqual([...new Set(caught)].sort(), expected.sort());
    assert.deepEqual(seen(fixtures), files);
  });

  it("have a fixture for every rule", async () => {
    const { forbidden } = await ruleSet();
    const rules = forbidden.map((rule) => rule.name).sort();
    const covered = typescriptFiles("src", FIXTURES).flatMap(announced);
    assert.deepEqual([...new Set(covered)].sort(), rules);
  });
});
