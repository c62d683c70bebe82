import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Cell, readCell } from "../../../scripts/interop/cell.ts";
import { tableOf } from "../../../scripts/interop/table.ts";
import { applyLimits, type Limit } from "../../../scripts/interop-python/limits.ts";
import { PypiAway, provideVenv } from "../../../scripts/interop-python/venv.ts";
import { createTempDir, type TempDir } from "../../support/temp-dir.ts";

const COLUMN = { peer: "sdk", direction: "calls" } as const;

const failed = (why: string): Cell => ({ ...COLUMN, operation: "cancel", verdict: "failed", why });

describe("the lines of a Python peer", () => {
  it("are cells, and anything else is none", () => {
    assert.deepEqual(readCell(COLUMN, '{"operation": "get", "ok": true}'), {
      ...COLUMN,
      ...{ operation: "get", verdict: "ok" },
    });
    assert.deepEqual(readCell(COLUMN, '{"operation": "get", "ok": false, "why": "no"}')?.why, "no");
    assert.equal(readCell(COLUMN, '{"operation": "list", "absent": "never"}')?.verdict, "absent");
    assert.equal(readCell(COLUMN, "ready: http://127.0.0.1:1"), undefined);
    assert.equal(readCell(COLUMN, "{}"), undefined);
  });
});

describe("the limits of Python peers", () => {
  const limit: Limit = { ...COLUMN, operation: "cancel", says: /deaf/, why: "it cannot" };

  it("explain the failure that they name", () => {
    const [cell] = applyLimits([failed("it is deaf")], [limit]);
    assert.equal(cell?.verdict, "limit");
    assert.equal(cell?.why, "it cannot");
  });

  it("explain no other failure and no other cell", () => {
    assert.equal(applyLimits([failed("it is blind")], [limit])[0]?.verdict, "failed");
    assert.equal(applyLimits([{ ...failed("deaf"), direction: "serves" }], [limit])[0]?.verdict, "failed");
  });

  it("fail when the peer has mended what they say", () => {
    const [cell] = applyLimits([{ ...COLUMN, operation: "cancel", verdict: "ok" }], [limit]);
    assert.equal(cell?.verdict, "failed");
    assert.match(cell?.why ?? "", /works.*it cannot/);
  });
});

describe("the table of Python peers", () => {
  it("has a row per operation, a column per peer and direction, and the reasons below", () => {
    const cells: Cell[] = [
      { ...COLUMN, operation: "get", verdict: "ok" },
      failed("it hung"),
      { peer: "sdk", direction: "serves", operation: "get", verdict: "absent", why: "no such call" },
      { peer: "sdk", direction: "serves", operation: "list", verdict: "absent", why: "no such call" },
    ];
    assert.deepEqual(tableOf(cells).split("\n"), [
      "        sdk -> pi-a2a  pi-a2a -> sdk",
      "get     ok             -",
      "cancel  FAILED",
      "list                   -",
      "",
      "FAILED  sdk -> pi-a2a: it hung (cancel)",
      "-  pi-a2a -> sdk: no such call (get; list)",
    ]);
  });
});

/** Stands in for Python: makes an environment that holds itself, and fails in pip as told by its packages. */
const PYTHON = `#!/bin/sh
case "$*" in
  "-m venv "*) mkdir "$3/bin" && cp "$0" "$3/bin/python" ;;
  *away.txt) echo "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError'" >&2; exit 1 ;;
  *wrong.txt) echo "ERROR: No matching distribution found for wrong==1 (from versions: 2)" >&2; exit 1 ;;
esac
`;

describe("the environment of a Python peer", () => {
  // The stand-in for Python is a script that Windows does not start.
  if (process.platform === "win32") return;
  let temp: TempDir;
  let python: { python: string; version: string };

  beforeEach(async () => {
    temp = await createTempDir();
    python = { python: join(temp.path, "python"), version: "3.11" };
    writeFileSync(python.python, PYTHON);
    chmodSync(python.python, 0o755);
  });
  afterEach(() => temp.remove());

  const provide = (name: string, listed: string, say = (_: string): void => undefined): Promise<string> => {
    const requirements = join(temp.path, `${name}.txt`);
    writeFileSync(requirements, listed);
    return provideVenv(join(temp.path, "cache"), python, requirements, say);
  };

  it("is made once per list of packages", async () => {
    const said: string[] = [];
    const first = await provide("sdk", "sdk==1", (line) => said.push(line));
    assert.ok(existsSync(first));
    assert.equal(await provide("sdk", "sdk==1", (line) => said.push(line)), first);
    assert.equal(said.length, 1);
    assert.notEqual(await provide("sdk", "sdk==2"), first);
  });

  it("tells a PyPI that is away from a package that is not there, and leaves nothing behind", async () => {
    await assert.rejects(provide("away", ""), PypiAway);
    await assert.rejects(provide("wrong", ""), (error) => {
      assert.ok(!(error instanceof PypiAway));
      assert.match(String(error), /wrong==1/);
      return true;
    });
    assert.deepEqual(readdirSync(join(temp.path, "cache")), []);
  });
});
