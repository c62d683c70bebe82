// Real Pi for the bench: in folders of its own, with this package or without it.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isolatedEnv, piHost } from "../../test/support/e2e-host.ts";
import { type PiProcess, startPi } from "../../test/support/pi-process.ts";
import type { Bench } from "./bench.ts";

/** A cold start transforms every source. */
const DEADLINE_MS = 180_000;

function transforms(bench: Bench): string {
  return join(bench.folder, "pi-tmp");
}

/** An agent folder with its settings, and a workspace. */
export interface PiHome {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface TimedPi {
  readonly pi: PiProcess;
  /** From the start of the process until Pi has answered its first question. */
  readonly startMs: number;
}

export function makePiHome(
  bench: Bench,
  name: string,
  { settings, models = "{}" }: { readonly settings: object; readonly models?: string },
): PiHome {
  const root = join(bench.folder, name);
  // What Pi keeps of transformed sources is the same for all of them.
  const env = isolatedEnv(root, { TMPDIR: transforms(bench) });
  mkdirSync(join(root, "workspace"));
  // No provider is asked twice, and none through a proxy.
  writeFileSync(join(root, "agent", "settings.json"), JSON.stringify({ retry: { enabled: false }, ...settings }));
  writeFileSync(join(root, "agent", "models.json"), models);
  return { root, env: { ...env, NO_PROXY: "127.0.0.1" } };
}

/** As after a restart of the machine: what Pi has transformed is gone. */
export function forgetTransforms(bench: Bench): void {
  rmSync(transforms(bench), { recursive: true, force: true });
  mkdirSync(transforms(bench));
}

export function hasTransforms(bench: Bench): boolean {
  return readdirSync(transforms(bench)).length > 0;
}

/** Ends with the bench at the latest. */
export async function startTimedPi(
  bench: Bench,
  { root, env }: PiHome,
  {
    extension,
    more = {},
  }: { readonly extension: string | undefined; readonly more?: Readonly<Record<string, string>> },
): Promise<TimedPi> {
  bench.check();
  const args = ["--offline", "--no-session", ...(extension === undefined ? [] : ["-e", extension])];
  const began = performance.now();
  const cwd = join(root, "workspace");
  const pi = await startPi({ host: piHost(), args, cwd, env: { ...env, ...more }, deadlineMs: DEADLINE_MS });
  const startMs = performance.now() - began;
  await bench.onClose(async () => void (await pi.kill()));
  const failed = pi.events.all.find(({ type }) => type === "extension_error" || type === "not_json");
  if (failed !== undefined) throw new Error(`an extension failed inside Pi: ${JSON.stringify(failed)}`);
  return { pi, startMs };
}
