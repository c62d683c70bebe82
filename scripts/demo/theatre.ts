// Where the demo plays: a temp folder with a workspace, and the Pi sessions in it. Prints what the sessions show as it comes.
// Uses the RPC driver of the end-to-end tests, which do the same.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { EXTENSION, isolatedEnv, OFFLINE_ARGS, piHost } from "../../test/support/e2e-host.ts";
import { type PiProcess, startPi } from "../../test/support/pi-process.ts";
import { createNarrator } from "./narrator.ts";
import { WORKSPACE_FILES } from "./workspace.ts";

export interface Theatre {
  readonly workspace: string;
  /** True with the embedded model, whose answers are known. */
  readonly scripted: boolean;
  /** Starts a Pi session in the workspace; its lines are printed under this name. */
  session(name: string): Promise<PiProcess>;
  close(): Promise<void>;
}

/** Without a model the sessions use the scripted one in a world of their own, else the person's own Pi configuration. */
export function openTheatre(model: string | undefined): Theatre {
  const root = mkdtempSync(join(tmpdir(), "pi-a2a-demo-"));
  const workspace = join(root, "workspace");
  for (const [name, text] of Object.entries(WORKSPACE_FILES)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true });
    writeFileSync(join(workspace, name), text);
  }
  const { args, env } = model === undefined ? scriptedModel(root) : configuredModel(model);
  const sessions: Promise<PiProcess>[] = [];
  return {
    workspace,
    scripted: model === undefined,
    session(name) {
      const session = startPi({
        host: piHost(),
        args: [...args, "-e", EXTENSION],
        cwd: workspace,
        env,
        onEvent: createNarrator(name),
      });
      sessions.push(session);
      return session;
    },
    async close() {
      for (const started of await Promise.allSettled(sessions)) {
        if (started.status === "fulfilled") await quit(started.value);
      }
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function scriptedModel(root: string): { args: readonly string[]; env: Record<string, string> } {
  // The machine's own TMPDIR, so that Pi finds there what it has transformed in an earlier run.
  return { args: OFFLINE_ARGS, env: isolatedEnv(root, { TMPDIR: tmpdir() }) };
}

function configuredModel(model: string): { args: readonly string[]; env: Record<string, string> } {
  const env = Object.fromEntries(Object.entries(process.env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])));
  // A second copy of this package, when it is installed, would take the same command names.
  return { args: ["--no-session", "--no-extensions", "--model", model], env };
}

async function quit(pi: PiProcess): Promise<void> {
  try {
    await pi.stop();
  } catch (error) {
    console.error(String(error));
  }
}
