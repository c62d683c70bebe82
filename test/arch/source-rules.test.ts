// Applies the text rules to every source file, and shows with injected files that each rule fires and where it stops.

import assert from "node:assert/strict";
import { holdsOnlyTypes, RULES, type Violation, violationsOf } from "./source-rules.ts";
import { readJson, readText, typescriptFiles } from "./tree.ts";

const SOURCES = typescriptFiles("src").map((path) => ({ path, text: readText(path) }));

/** A file that must break exactly this rule. */
interface Broken {
  readonly rule: string;
  readonly code: string;
  readonly path?: string;
}

const BROKEN: readonly Broken[] = [
  { rule: "known-area", code: "export const a = 1;", path: "src/other/a.ts" },
  { rule: "known-area", code: "export const a = 1;", path: "src/core/other.ts" },
  { rule: "telling-name", code: "export const a = 1;", path: "src/engine/utils.ts" },
  { rule: "telling-name", code: "export const a = 1;", path: "src/engine/TaskStore.ts" },
  { rule: "short-file", code: "\n".repeat(299) },
  { rule: "no-environment", code: "export const a = process.env.HOME;" },
  { rule: "no-environment", code: 'export const a = process["env"];' },
  { rule: "no-environment", code: "export const { env } = process;" },
  { rule: "no-environment", code: "export const a = globalThis.process.env;" },
  { rule: "no-environment", code: 'import { env } from "node:process";\nexport const a = env;' },
  { rule: "no-environment", code: "export const a = process.env;", path: "src/pi/a.ts" },
  { rule: "no-clock-or-chance", code: "export const a = () => setTimeout(a, 1);" },
  { rule: "no-clock-or-chance", code: "export const a = () => globalThis.setTimeout(a, 1);" },
  { rule: "no-clock-or-chance", code: "export const a = { timer: setInterval };" },
  { rule: "no-clock-or-chance", code: "export const a = () => Date.now();" },
  { rule: "no-clock-or-chance", code: "export const a = () => new Date();" },
  { rule: "no-clock-or-chance", code: "export const a = () => Math.random();" },
  { rule: "no-clock-or-chance", code: 'export const a = () => fetch("http://127.0.0.1");' },
  { rule: "no-clock-or-chance", code: "export const a = () => AbortSignal.timeout(1);" },
  { rule: "no-clock-or-chance", code: "export const a = () => performance.now();" },
  {
    rule: "no-clock-or-chance",
    code: 'import { setTimeout } from "node:timers/promises";\nexport const a = setTimeout;',
  },
  { rule: "no-casts", code: "export const a = (b: unknown) => b as string;" },
  { rule: "no-casts", code: "export const a = (b: unknown) => <string>b;" },
  { rule: "no-casts", code: "export const a = (b?: string) => b!.length;" },
  { rule: "no-casts", code: "export const a = (b: unknown) => b as string;", path: "src/core/protocol/encode.ts" },
  { rule: "no-casts", code: "export const a = (b: unknown) => b as string;", path: "src/pi/host/other.ts" },
  { rule: "no-any", code: "export const a = (b: any) => b;" },
  { rule: "no-enum", code: "export enum A { b }" },
  { rule: "no-console", code: 'export const a = () => console.log("x");' },
  { rule: "no-suppressions", code: "// @ts-ignore\nexport const a = 1;" },
  { rule: "no-default-export", code: "export default function a() {}" },
  { rule: "no-default-export", code: "const a = 1;\nexport default a;" },
  { rule: "no-default-export", code: "const a = 1;\nexport { a as default };" },
  { rule: "no-module-state", code: "let a = 0;\nexport const b = () => a++;" },
  { rule: "no-module-state", code: "export const a = new Map<string, number>();" },
  { rule: "no-module-state", code: "export const a: string[] = [];" },
  { rule: "ports-are-types", code: "export const a = 1;", path: "src/core/ports.ts" },
  { rule: "throws-a2a-error", code: 'export const a = () => {\n  throw new Error("x");\n};' },
];

const CLEAN: readonly { readonly why: string; readonly code: string; readonly path?: string }[] = [
  { why: "files of 299 lines", code: "\n".repeat(297) },
  { why: "const assertions", code: "export const a = { b: 1 } as const;" },
  { why: "aliases", code: 'import { b as c } from "./b.ts";\nexport { c as d };' },
  {
    why: "casts in decoders",
    code: "export const a = (b: unknown) => b as string;",
    path: "src/core/protocol/decode-a.ts",
  },
  { why: "other members of process", code: "export const a = process.pid;" },
  { why: "the environment in its one file", code: "export const a = process.env;", path: "src/core/config/env.ts" },
  { why: "the clock in platform", code: "export const a = () => Date.now();", path: "src/core/platform/clock.ts" },
  { why: "a parameter called like a global", code: "export const a = (fetch: () => void) => fetch();" },
  { why: "members called like globals", code: "export const a = (b: { fetch(): void }) => b.fetch();" },
  { why: "dates made from a number", code: "export const a = (ms: number) => new Date(ms);" },
  { why: "constant tables", code: 'export const a: ReadonlySet<string> = new Set(["b"]);' },
  { why: "the entry's default export", code: "export default function a() {}", path: "src/index.ts" },
  {
    why: "default branches",
    code: "export const a = (b: number) => {\n  switch (b) {\n    default:\n      return 1;\n  }\n};",
  },
  { why: "types in ports", code: 'import type { B } from "./b.ts";\nexport type A = B;', path: "src/core/ports.ts" },
  { why: "rethrowing", code: "export const a = (b: unknown) => {\n  throw b;\n};" },
];

function rulesBrokenBy(code: string, path = "src/engine/a.ts"): string[] {
  return [...new Set(violationsOf({ path, text: `// A file.\n${code}\n` }).map(({ rule }) => rule))];
}

describe("source rules", () => {
  let all: Violation[] = [];

  before(function () {
    this.timeout(60_000);
    all = SOURCES.flatMap(violationsOf);
  });

  for (const { name } of RULES) {
    it(`hold everywhere: ${name}`, () => {
      const broken = all.filter(({ rule }) => rule === name);
      assert.deepEqual(
        broken.map(({ path, line, found }) => `${path}:${line} ${found}`),
        [],
      );
    });
  }

  for (const { rule, code, path } of BROKEN) {
    it(`catch ${rule}: ${path ?? ""} ${JSON.stringify(code).slice(0, 80)}`, () => {
      assert.deepEqual(rulesBrokenBy(code, path), [rule]);
    });
  }

  it("catch opens-with-comment", () => {
    const broken = violationsOf({ path: "src/engine/a.ts", text: "export const a = 1;\n" });
    assert.deepEqual(
      broken.map(({ rule }) => rule),
      ["opens-with-comment"],
    );
  });

  it("have an injected file each", () => {
    const covered = new Set([...BROKEN.map(({ rule }) => rule), "opens-with-comment"]);
    assert.deepEqual(
      RULES.map(({ name }) => name).filter((name) => !covered.has(name)),
      [],
    );
  });

  for (const { why, code, path } of CLEAN) {
    it(`allow ${why}`, () => {
      assert.deepEqual(rulesBrokenBy(code, path), []);
    });
  }

  it("leave out of coverage exactly the files that hold only types", () => {
    const typeOnly = SOURCES.filter(holdsOnlyTypes).map(({ path }) => path);
    assert.deepEqual(readJson(".c8rc.json").exclude, typeOnly);
  });
});
