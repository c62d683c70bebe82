// Owns the virtual environments of the peers: one folder per set of pinned packages and Python, kept between runs.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { makeOnce } from "../support/made-folder.ts";

/** Thrown when PyPI cannot be reached: a reason to skip, not to fail. */
export class PypiAway extends Error {}

const AWAY =
  /Retrying \(|NewConnectionError|ConnectTimeout|ReadTimeout|ProxyError|SSLError|name resolution|Max retries|HTTP error 5\d\d|40[37] Client Error|from versions: none/;
const INSTALL_MS = 300_000;

/** The Python of an environment that holds what this file of requirements lists. Throws PypiAway, or what pip said. */
export async function provideVenv(
  cache: string,
  { python, version }: { readonly python: string; readonly version: string },
  requirements: string,
  say: (line: string) => void,
): Promise<string> {
  const listed = readFileSync(requirements, "utf8");
  const key = createHash("sha256").update(`${version}\n${listed}`).digest("hex").slice(0, 12);
  const name = basename(requirements, ".txt");
  const folder = join(cache, `${name}-${process.platform}-${process.arch}-${key}`);
  await makeOnce(folder, isComplete, async (making) => {
    say(`installing ${name} from PyPI into ${folder}`);
    await run(python, ["-m", "venv", making]);
    await run(pythonIn(making), [
      "-m",
      "pip",
      "install",
      "--quiet",
      ...PATIENCE,
      ...SPEED,
      "--requirement",
      requirements,
    ]);
    writeFileSync(markerIn(making), listed);
  });
  return pythonIn(folder);
}

/** Fail within a minute rather than hang where there is no network. */
const PATIENCE = ["--no-input", "--disable-pip-version-check", "--prefer-binary", "--retries", "1", "--timeout", "30"];
/** Bytecode is made as it is needed, and then kept: see ./program.ts. */
const SPEED = ["--no-compile"];

function isComplete(folder: string): boolean {
  return existsSync(markerIn(folder)) && existsSync(pythonIn(folder));
}

function markerIn(folder: string): string {
  return join(folder, "installed.txt");
}

function pythonIn(folder: string): string {
  return process.platform === "win32" ? join(folder, "Scripts", "python.exe") : join(folder, "bin", "python");
}

function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], timeout: INSTALL_MS, killSignal: "SIGKILL" });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) return resolve();
      if (signal !== null) return reject(new PypiAway(`pip did not end within ${INSTALL_MS / 1000} s`));
      const last = said.trim().split("\n").slice(-6).join("\n");
      reject(AWAY.test(said) ? new PypiAway(last) : new Error(`${args.slice(0, 3).join(" ")} failed:\n${last}`));
    });
  });
}
