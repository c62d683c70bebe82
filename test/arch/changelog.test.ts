// CHANGELOG.md keeps the form of Keep a Changelog, which Pi reads after an update.

import assert from "node:assert/strict";
import { readJson, readText } from "./tree.ts";

const KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Breaking"];

interface Section {
  readonly heading: string;
  readonly body: string;
}

/** Sections at this heading level, in order; text before the first one is left out. */
function sections(text: string, level: number): Section[] {
  const mark = "#".repeat(level);
  return text
    .split(new RegExp(`^${mark} `, "m"))
    .slice(1)
    .map((chunk) => ({ heading: chunk.split("\n")[0] ?? "", body: chunk.split("\n").slice(1).join("\n") }));
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

describe("changelog", () => {
  const text = readText("CHANGELOG.md");
  const versions = sections(text, 2);
  const released = versions
    .slice(1)
    .map(({ heading }) => /^\[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/.exec(heading)?.[1]);

  it("begins with its title", () => {
    assert.match(text, /^# Changelog\n/);
  });

  it("has [Unreleased] on top", () => {
    assert.equal(versions[0]?.heading, "[Unreleased]");
  });

  it("names each release by version and date, newest first", () => {
    const known = released.filter((version) => version !== undefined);
    assert.equal(known.length, released.length, "a heading is not `[x.y.z] - yyyy-mm-dd`");
    assert.deepEqual(known, [...known].sort(compareVersions).reverse());
    assert.equal(new Set(known).size, known.length);
  });

  it("has released nothing newer than package.json says", () => {
    const { version } = readJson("package.json");
    const newest = released[0];
    assert.ok(typeof version === "string");
    assert.ok(newest === undefined || compareVersions(newest, version) <= 0, `${newest} > ${version}`);
  });

  it("groups entries under the known kinds, none twice and none empty", () => {
    for (const { heading, body } of versions) {
      const kinds = sections(body, 3);
      const names = kinds.map((kind) => kind.heading);
      assert.deepEqual(
        names.filter((name) => !KINDS.includes(name)),
        [],
        heading,
      );
      assert.equal(new Set(names).size, names.length, heading);
      for (const kind of kinds) assert.match(kind.body, /^- \S/m, `${heading} ${kind.heading} has no entry`);
    }
  });
});
