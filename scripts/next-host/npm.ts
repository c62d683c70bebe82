// Runs npm to its end. A failure says what npm said, and what to do when the registry cannot be reached.

import { spawn } from "node:child_process";

const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b/;
/** Fail within a minute rather than hang where there is no network. */
const PATIENCE = ["--fetch-retries", "1", "--fetch-retry-maxtimeout", "10000", "--fetch-timeout", "60000"];

/** Thrown when the registry cannot be reached. */
export class RegistryAway extends Error {}

/** The standard output of npm. */
export async function runNpm(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run([...args, ...PATIENCE]);
  if (code === 0) return stdout;
  const said = stderr.trim() || stdout.trim();
  const what = explain(args, said);
  throw UNREACHABLE.test(said) ? new RegistryAway(what) : new Error(what);
}

/** What a person reads when npm failed. */
export function explain(args: readonly string[], output: string): string {
  const lines = output.split("\n").filter((line) => !/^npm error\s+at /.test(line));
  const said = lines.slice(0, 8).join("\n");
  const what = `npm ${args[0]} failed`;
  if (!UNREACHABLE.test(output)) return `${what}:\n${said}`;
  return `${what}: the npm registry cannot be reached. This needs it once; afterwards the install is reused.\n${said}`;
}

function run(args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  // Under `npm run` this is npm's own file, which needs no shell on any system.
  const npm = process.env.npm_execpath;
  const ours = npm?.endsWith("npm-cli.js") === true ? [process.execPath, npm] : ["npm"];
  const [command = "npm", ...before] = ours;
  const child = spawn(command, [...before, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32" && before.length === 0,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}
