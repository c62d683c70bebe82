// The documentation says what the code does: tables come from the code, and links and commands lead somewhere.

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import { generatedPages } from "../../scripts/docs/pages.ts";
import { SETTINGS } from "../../src/core/config/schema.ts";
import { ERRORS } from "../../src/core/platform/errors.ts";
import { ROOT, readJson, readText } from "./tree.ts";

/** Markdown files of the root and of docs/, relative to the repository. */
function markdownFiles(): string[] {
  const inside = (folder: string) => readdirSync(join(ROOT, folder)).map((name) => join(folder, name));
  return [...inside("."), ...inside("docs")].filter((path) => path.endsWith(".md"));
}

/** Targets of links to files of the repository, without the part after `#`. */
function localLinks(text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? "");
  return targets.filter((target) => !/^(https?:|mailto:|#)/.test(target)).map((target) => target.replace(/#.*/, ""));
}

function isSettings(value: unknown): boolean {
  return typeof value === "object" && value !== null && "a2a" in value;
}

describe("docs", () => {
  it("list every error code once and no other", () => {
    const listed = [...readText("docs/errors.md").matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1]);
    assert.deepEqual(listed.sort(), Object.keys(ERRORS).sort());
  });

  it("list every setting once, and no environment variable that nothing reads", () => {
    const text = readText("docs/configuration.md");
    const keys = [...text.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1]);
    assert.deepEqual(keys.sort(), SETTINGS.map(({ key }) => key).sort());
    const variables = [...text.matchAll(/`(A2A_[A-Z_]+)`/g)].map((match) => match[1]);
    assert.deepEqual(variables.sort(), SETTINGS.flatMap(({ env }) => env ?? []).sort());
  });

  for (const { path, text } of generatedPages()) {
    it(`are up to date: ${path} (else: npm run docs)`, () => {
      assert.equal(readText(path), text);
    });
  }

  it("show JSON that can be copied as it is: strict, and settings that the schema takes (G02)", () => {
    const accepts = new Ajv({ strict: false }).compile(JSON.parse(readText("schemas/a2a-settings.schema.json")));
    const blocks = markdownFiles().flatMap((path) =>
      [...readText(path).matchAll(/^```json\n(.*?)^```/gms)].map(([, text = ""]) => ({ path, text })),
    );
    assert.ok(blocks.length > 0);
    for (const { path, text } of blocks) {
      const value: unknown = JSON.parse(text);
      if (isSettings(value)) assert.ok(accepts(value), `${path}: ${text}`);
    }
  });

  it("link only to files that exist", () => {
    const dead = markdownFiles().flatMap((path) =>
      localLinks(readText(path))
        .filter((target) => !existsSync(join(ROOT, dirname(path), target)))
        .map((target) => `${path}: ${target}`),
    );
    assert.deepEqual(dead, []);
  });

  it("name only npm scripts that exist", () => {
    const { scripts } = readJson("package.json");
    const known = Object.keys(scripts ?? {});
    const unknown = markdownFiles().flatMap((path) =>
      [...readText(path).matchAll(/npm run ([a-z][a-z0-9:-]*)/g)]
        .map((match) => match[1] ?? "")
        .filter((script) => !known.includes(script))
        .map((script) => `${path}: ${script}`),
    );
    assert.deepEqual(unknown, []);
  });
});
