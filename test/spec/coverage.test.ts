// Holds the list of requirements against the tests that `npm test` runs: each has a test or a reason why it does not hold, and no
// title cites what is not in the list.

import assert from "node:assert/strict";
import { readJson, readText, typescriptFiles } from "../arch/tree.ts";
import { mayCite, type Title, titlesIn } from "./citations.ts";
import type { Requirement } from "./requirement.ts";
import { REQUIREMENTS } from "./requirements.ts";

/** Of this folder, tests that speak of the list and not of the protocol. */
const OWN_TESTS = ["test/spec/coverage.test.ts"];

describe("the requirements", () => {
  const titles = testFiles().flatMap(readTitles);
  const cited = new Set(titles.flatMap(({ ids }) => ids));

  it("have an id each, in lower case with hyphens, and one line of text that ends with a full stop", () => {
    assert.deepEqual(faultsOf(REQUIREMENTS), []);
  });

  it("would not pass with a fault in a row", () => {
    const row = { id: "a-b", section: "9.1", level: "MUST", behaviour: "It works." } as const;
    const faulty = [{ id: "ab" }, { id: "A-b" }, { section: "§9" }, { behaviour: "It works" }, { knownFailure: "" }];
    for (const fault of faulty) assert.equal(faultsOf([{ ...row, ...fault }]).length, 1, JSON.stringify(fault));
    assert.deepEqual(faultsOf([row, row]), ["a-b: twice"]);
    assert.deepEqual(faultsOf([row]), []);
  });

  it("have a test each, unless the list says why they do not hold", () => {
    const bare = REQUIREMENTS.filter(({ id, knownFailure }) => knownFailure === undefined && !cited.has(id));
    assert.deepEqual(
      bare.map(({ id }) => id),
      [],
    );
  });

  it("that are said not to hold have no test: else the list is out of date", () => {
    const stale = REQUIREMENTS.filter(({ id, knownFailure }) => knownFailure !== undefined && cited.has(id));
    assert.deepEqual(
      stale.map(({ id }) => id),
      [],
    );
  });

  it("are the only ones that tests cite", () => {
    const known = new Set(REQUIREMENTS.map(({ id }) => id));
    const unknown = titles.flatMap((title) => title.ids.filter((id) => !known.has(id)).map((id) => placeOf(title, id)));
    assert.deepEqual(unknown, []);
  });

  it("are cited by each test of this folder", () => {
    const silent = titles.filter(({ path, ids }) => path.startsWith("test/spec/") && ids.length === 0);
    assert.deepEqual(
      silent.filter(({ path }) => !OWN_TESTS.includes(path)).map((title) => placeOf(title, title.text)),
      [],
    );
  });
});

describe("the titles of tests", () => {
  const idsOf = (source: string): string[] => titlesIn("a.test.ts", source).flatMap(({ ids }) => ids);

  it("are read from every kind of string, with the fixed parts of templates", () => {
    assert.deepEqual(idsOf('it("[a-b] c", run);'), ["a-b"]);
    assert.deepEqual(idsOf("it('c [a-b] [d-e-1]', run);"), ["a-b", "d-e-1"]);
    assert.deepEqual(idsOf("it(`[a-b] c`, run);"), ["a-b"]);
    assert.deepEqual(idsOf(`for (const c of list) it(\`[a-b] \${c} [d-e]\`, run);`), ["a-b", "d-e"]);
    assert.deepEqual(idsOf(`it(\`[\${id}] c\`, run); it(title, run);`), []);
  });

  it("count only when their test runs", () => {
    assert.deepEqual(idsOf('describe("x", () => { it("[a-b] c", run); });'), ["a-b"]);
    for (const skipped of [
      'it.skip("[a-b] c", run);',
      'xit("[a-b] c", run);',
      'describe.skip("x", () => { it("[a-b] c", run); });',
      'xdescribe("x", () => { it("[a-b] c", run); });',
      '// it("[a-b] c", run);',
      'describe("[a-b]", () => undefined);',
      'test("[a-b]", run);',
    ]) {
      assert.deepEqual(idsOf(skipped), [], skipped);
    }
  });

  it("cite nothing by brackets of other kinds", () => {
    assert.deepEqual(idsOf('it("answers [INPUT_REQUIRED] to [] and [1] and [abc]", run);'), []);
  });
});

/** The files that the configuration of `npm test` names by folder. */
function testFiles(): string[] {
  const { spec } = readJson(".mocharc.json");
  assert.ok(Array.isArray(spec));
  const folders = spec.map((glob) => /^(test\/\w+)\/\*\*\/\*\.test\.ts$/.exec(String(glob))?.[1]);
  assert.ok(folders.includes("test/spec"), "npm test does not run the tests of this folder");
  return folders.flatMap((folder) =>
    folder === undefined ? [] : typescriptFiles(folder).filter((path) => path.endsWith(".test.ts")),
  );
}

function readTitles(path: string): Title[] {
  const source = readText(path);
  return path.startsWith("test/spec/") || mayCite(source) ? titlesIn(path, source) : [];
}

function placeOf({ path, line }: Title, what: string): string {
  return `${path}:${line} ${what}`;
}

function faultsOf(requirements: readonly Requirement[]): string[] {
  const seen = new Set<string>();
  return requirements.flatMap(({ id, section, behaviour, knownFailure }) => {
    const faults = [
      seen.has(id) ? "twice" : undefined,
      /^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(id) ? undefined : "not a legal id",
      /^(own|\d+(\.\d+)*)$/.test(section) ? undefined : `not a section: ${section}`,
      /^[^\n]+\.$/.test(behaviour) ? undefined : "no sentence",
      knownFailure === "" ? "no reason" : undefined,
    ];
    seen.add(id);
    return faults.filter((fault) => fault !== undefined).map((fault) => `${id}: ${fault}`);
  });
}
