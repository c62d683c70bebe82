// What the first use of the extension in a session adds to the same use again, after a start at which nothing was transformed yet.

import { EXTENSION } from "../../test/support/e2e-host.ts";
import type { Bench } from "./bench.ts";
import { median, medianDifference } from "./figures.ts";
import { forgetTransforms, makePiHome, type PiHome, startTimedPi } from "./pi-sessions.ts";
import { publishedPackage } from "./published-package.ts";
import type { Row } from "./report.ts";

const SOURCES = { id: "pi-first-use", title: "First use in Pi, cold" };
const PUBLISHED = { id: "pi-first-use-published", title: "First use in Pi, cold, published" };

export async function measureFirstUse(bench: Bench): Promise<readonly Row[]> {
  if (!bench.plan.allStarts) return [];
  const home = makePiHome(bench, "pi-first-use", { settings: {} });
  const rows: Row[] = [];
  if (bench.wants(SOURCES.id)) rows.push(await measure(bench, home, SOURCES, EXTENSION));
  if (bench.wants(PUBLISHED.id)) {
    const row = await measure(bench, home, PUBLISHED, await publishedPackage(bench));
    rows.push({ ...row, aim: { figure: "added", atMost: 50 } });
  }
  return rows;
}

async function measure(bench: Bench, home: PiHome, name: Pick<Row, "id" | "title">, extension: string): Promise<Row> {
  bench.tell(name.title);
  const first: number[] = [];
  const again: number[] = [];
  for (let start = 0; start < bench.plan.coldPairs; start++) {
    forgetTransforms(bench);
    const { pi } = await startTimedPi(bench, home, { extension });
    const use = async (): Promise<number> => {
      const began = performance.now();
      await pi.command("/a2a-status");
      return performance.now() - began;
    };
    first.push(await use());
    again.push(await use());
    await pi.stop();
  }
  return { ...name, unit: "ms", ours: median(first), limit: median(again), added: medianDifference(first, again) };
}
