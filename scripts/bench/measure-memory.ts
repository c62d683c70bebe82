// The heap that a finished task takes: over HTTP, as users make them, so that what limits and lists remember of it counts too.

import { askServer } from "./ask-server.ts";
import type { Bench, Server } from "./bench.ts";
import { sendRequest } from "./calls.ts";
import type { Aim, Row } from "./report.ts";

const AIM: Aim = { figure: "ours", atMost: 512 };
/** Before the measurement: more than caches hold. */
const WARM_TASKS = 15_000;

/** The same for what the way over HTTP keeps. */
const WARM_REQUESTS = 1_000;

const KINDS = [
  { id: "heap-small", title: "Heap of a finished task, short reply", text: "hello" },
  { id: "heap-large", title: "Heap of a finished task, reply of 10 KB", text: "large 10000" },
] as const;

export async function measureMemory(bench: Bench): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { id, title, text } of KINDS) {
    if (!bench.wants(id)) continue;
    bench.tell(title);
    const ours = await bench.startOurs({ maxTasks: 0 });
    const { status, body } = await askServer(ours.url, sendRequest(text));
    if (status !== 200 || !body.includes("TASK_STATE_COMPLETED")) throw new Error(`${title}: ${body.slice(0, 400)}`);
    await ours.ask("fill", { count: WARM_TASKS, text });
    await send(bench, ours, text, WARM_REQUESTS);
    const before = await measure(ours);
    await send(bench, ours, text, bench.plan.heapTasks);
    const after = await measure(ours);
    const bytes = (after.heapBytes - before.heapBytes) / (after.tasks - before.tasks);
    rows.push({ id, title, unit: "B", ours: bytes, aim: AIM });
    await ours.stop();
  }
  return rows;
}

async function send(bench: Bench, { url }: Server, text: string, amount: number): Promise<void> {
  const work = { url, requests: [sendRequest(text)], connections: 16, warmMs: 0, measureMs: 0, status: 200 };
  const { counted } = await bench.sendRequests({ ...work, amount });
  if (counted !== amount) throw new Error(`${counted} of ${amount} messages were answered`);
}

function measure(server: Server): Promise<{ readonly heapBytes: number; readonly tasks: number }> {
  return server.ask("measure");
}
