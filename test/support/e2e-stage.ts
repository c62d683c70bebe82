// The stage of an end-to-end test: a temp folder with workspaces and an agent folder, and the real Pi sessions that run there.
// Closing it quits every session, and complains about one that does not quit, leaves a process behind, or told of an error in an
// extension.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { EXTENSION, isolatedEnv, OFFLINE_ARGS, piHost, REPOSITORY } from "./e2e-host.ts";
import { descendants, gone } from "./e2e-processes.ts";
import { type PiProcess, startPi } from "./pi-process.ts";

export interface Stage {
  readonly root: string;
  /** The environment that sessions get; all share one agent folder, as on a person's machine. */
  readonly env: Readonly<Record<string, string>>;
  /** Makes a folder with files, name -> text. */
  workspace(name: string, files?: Readonly<Record<string, string>>): Workspace;
  session(cwd: Workspace, options?: SessionOptions): Promise<PiProcess>;
  /** kill -9; nobody expects this session to quit any more. */
  kill(pi: PiProcess): Promise<void>;
  close(): Promise<void>;
}

interface SessionOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** More extensions, beside the scripted model and this package. */
  readonly extensions?: readonly string[];
  /** False for a session without this package. */
  readonly a2a?: boolean;
  /** True for a session that is kept in a file, as it is for a person; it can be resumed and forked. */
  readonly saved?: boolean;
  /** More arguments for Pi. */
  readonly args?: readonly string[];
}

export interface Workspace {
  readonly path: string;
  file(name: string): string;
  write(name: string, text?: string): void;
  read(name: string): string;
}

export function openStage(): Stage {
  const root = mkdtempSync(join(tmpdir(), "pi-a2a-e2e-"));
  const env = isolatedEnv(root);
  keepTransforms(join(root, "tmp"));
  writeFileSync(
    join(root, "agent", "settings.json"),
    JSON.stringify({ retry: { enabled: true, maxRetries: 1, baseDelayMs: 10 } }),
  );
  const sessions: PiProcess[] = [];
  return {
    root,
    env,
    workspace: (name, files) => openWorkspace(join(root, name), files),
    async session({ path }, { env: more = {}, extensions = [], a2a = true, saved = false, args: moreArgs = [] } = {}) {
      const paths = [...extensions, ...(a2a ? [EXTENSION] : [])];
      const base = OFFLINE_ARGS.filter((arg) => !(saved && arg === "--no-session"));
      const args = [...base, ...moreArgs, ...paths.flatMap((extension) => ["-e", extension])];
      const pi = await startPi({ host: piHost(), args, cwd: path, env: { ...env, ...more } });
      sessions.push(pi);
      return pi;
    },
    async kill(pi) {
      sessions.splice(sessions.indexOf(pi), 1);
      await pi.kill();
    },
    async close() {
      const ends = await Promise.allSettled(sessions.map(quit));
      await Promise.all(sessions.map((pi) => pi.kill()));
      rmSync(root, { recursive: true, force: true });
      const failed = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
      if (failed.length > 0) throw new AggregateError(failed, failed.map(String).join("\n"));
    },
  };
}

/** Starts the server of a session by its command; the base URL that it announces. */
export async function serve(pi: PiProcess): Promise<string> {
  const texts = await pi.command("/a2a-server start");
  const url = texts.map(announcedUrl).find((found) => found !== undefined);
  if (url === undefined)
    throw new Error(`/a2a-server start named no address: ${JSON.stringify(texts)}; ${pi.stderr()}`);
  return url;
}

/** The base URL in a start message. */
export function announcedUrl(text: string): string | undefined {
  const found = /https?:\/\/[^\s"'<>)]+/.exec(text)?.[0];
  return found === undefined ? undefined : `${new URL(found).origin}/`;
}

async function quit(pi: PiProcess): Promise<void> {
  const left = descendants(pi.pid);
  const { code, signal } = await pi.stop();
  if (code !== 0) throw new Error(`Pi ended with code ${code}, signal ${signal}; stderr: ${pi.stderr()}`);
  await gone(left);
  const errors = pi.events.all.filter((event) => event.type === "extension_error" || event.type === "not_json");
  if (errors.length > 0) throw new Error(`an extension failed inside Pi: ${JSON.stringify(errors)}`);
}

/** Pi keeps what it has transformed below TMPDIR; shared by all stages, it is made once per change of a source. */
function keepTransforms(tmp: string): void {
  const cache = join(REPOSITORY, ".cache", "e2e-jiti");
  mkdirSync(cache, { recursive: true });
  symlinkSync(cache, join(tmp, "jiti"), "dir");
}

function openWorkspace(path: string, files: Readonly<Record<string, string>> = {}): Workspace {
  mkdirSync(path, { recursive: true });
  const file = (name: string): string => join(path, name);
  const write = (name: string, text = "go\n"): void => {
    mkdirSync(dirname(file(name)), { recursive: true });
    writeFileSync(file(name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  return { path, file, write, read: (name) => readFileSync(file(name), "utf8") };
}
