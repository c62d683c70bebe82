// Which Pi the end-to-end tests run, and the closed world they run it in: own home, own agent folder, no key, no way out.

import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DEADLINE_MS } from "./e2e-event-log.ts";
import type { PiHost } from "./pi-process.ts";

export const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const EXTENSION = join(REPOSITORY, "src", "index.ts");
export const FIXTURES = join(REPOSITORY, "test", "e2e", "fixtures");
/** An extension with the slash commands /reload-all and /listeners. */
export const SESSION_COMMANDS = join(FIXTURES, "session-commands.ts");
export const SCRIPTED_MODEL = join(REPOSITORY, "scripts", "scripted-model", "index.ts");

/** Loads the scripted model and keeps no session file. */
export const OFFLINE_ARGS = ["--offline", "--no-session", "-e", SCRIPTED_MODEL, "--model", "scripted/agent"] as const;

/** The pinned Pi of devDependencies, or the one that PI_A2A_E2E_NODE and PI_A2A_E2E_CLI name. */
export function piHost(): PiHost {
  return {
    node: process.env.PI_A2A_E2E_NODE ?? process.execPath,
    cli:
      process.env.PI_A2A_E2E_CLI ??
      join(REPOSITORY, "node_modules", "@mariozechner", "pi-coding-agent", "dist", "cli.js"),
  };
}

/**
 * The environment of a Pi below `root`. The proxy leads nowhere: whatever is not loopback fails at once, and a loopback call that
 * obeys a proxy fails as well.
 */
export function isolatedEnv(root: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const nowhere = "http://127.0.0.1:9";
  const env = {
    PATH: process.env.PATH ?? "",
    LANG: "C.UTF-8",
    HOME: join(root, "home"),
    TMPDIR: join(root, "tmp"),
    PI_CODING_AGENT_DIR: join(root, "agent"),
    PI_OFFLINE: "1",
    PI_TELEMETRY: "0",
    PI_SKIP_VERSION_CHECK: "1",
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    ...more,
  };
  for (const folder of [env.HOME, env.TMPDIR, env.PI_CODING_AGENT_DIR]) mkdirSync(folder, { recursive: true });
  return env;
}

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end with an empty stdin. Kills it at the deadline and throws with what it wrote. */
export function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly deadlineMs?: number },
): Promise<RunResult> {
  const { cwd, env, deadlineMs = DEADLINE_MS } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), deadlineMs);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (signal === null) resolve({ code, stdout, stderr });
      else reject(new Error(`${args.join(" ")} ended by ${signal}; stdout: ${stdout}\nstderr: ${stderr}`));
    });
  });
}

/** Runs Pi to its end, as `pi -p`, `pi --mode json` or `pi install` do. */
export function runPi(args: readonly string[], options: Parameters<typeof run>[2]): Promise<RunResult> {
  const { node, cli } = piHost();
  return run(node, [cli, ...args], options);
}
