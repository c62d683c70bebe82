// A host for child sessions without a Pi process: real Pi in this process, a scripted model, folders of its own.

import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type FauxResponseStep, registerFauxProvider } from "@mariozechner/pi-ai";
import { AuthStorage, ModelRegistry } from "@mariozechner/pi-coding-agent";
import type { ServerSettings, Settings } from "../../src/core/config/settings.ts";
import { createSystemClock } from "../../src/core/platform/clock.ts";
import { createFilesPort } from "../../src/core/platform/files.ts";
import { createLog, type Log } from "../../src/core/platform/log.ts";
import type { RunOutcome, RunOutput, RunRequest } from "../../src/core/ports.ts";
import { createPiRunner, type PiRunnerDeps } from "../../src/pi/child/pi-runner.ts";
import type { HostSession } from "../../src/pi/host/host-port.ts";
import { CONTEXT_ID, TASK_ID, textMessage } from "./builders.ts";
import { createCountIds } from "./count-ids.ts";
import { testSettings } from "./outbound-rig.ts";
import { createTempDir } from "./temp-dir.ts";

const FIXTURES = fileURLToPath(new URL("../sdk/fixtures", import.meta.url));
const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export interface SdkHostOptions {
  readonly contextWindow?: number;
  readonly tokensPerSecond?: number;
  /** Fixture files of test/sdk/fixtures that the host was started with (-e). */
  readonly extensions?: readonly string[];
  readonly server?: Partial<ServerSettings>;
  readonly session?: Partial<HostSession>;
  readonly childTools?: PiRunnerDeps["childTools"];
}

export interface RunOptions extends Partial<RunRequest> {
  readonly onOutput?: (output: RunOutput) => void;
}

export interface Ran {
  readonly outcome: RunOutcome;
  readonly outputs: readonly RunOutput[];
  /** What a reader that applies append and replace holds in the end. */
  readonly reply: string | undefined;
}

export type SdkHost = Awaited<ReturnType<typeof createSdkHost>>;

export async function createSdkHost(options: SdkHostOptions = {}) {
  const temp = await createTempDir();
  const agentDir = join(temp.path, "agent");
  const workspace = join(temp.path, "workspace");
  await mkdir(agentDir);
  await mkdir(workspace);
  const extensionDir = join(temp.path, "extensions");
  const extensionPaths: string[] = [];
  for (const name of options.extensions ?? []) {
    // Extensions write their events beside themselves.
    await cp(join(FIXTURES, name), join(extensionDir, name));
    extensionPaths.push(join(extensionDir, name));
  }
  const { faux, registry } = scriptedModel(options);
  const clock = createSystemClock();
  const log: Log = createLog(clock, () => "log-id");
  const session: HostSession = {
    cwd: workspace,
    agentDir,
    model: registry.find("faux", "scripted"),
    thinkingLevel: "high",
    modelRegistry: registry,
    extensionPaths,
    discoverExtensions: true,
    tools: {},
    ownPackageDir: REPOSITORY,
    projectTrusted: true,
    ...options.session,
  };
  let current: HostSession | undefined = session;
  const runner = createPiRunner({
    host: { current: () => current },
    log,
    clock,
    ids: createCountIds(),
    files: createFilesPort(),
    settings: () => settingsWith(options.server),
    ...(options.childTools === undefined ? {} : { childTools: options.childTools }),
  });
  return {
    agentDir,
    workspace,
    extensionDir,
    faux,
    registry,
    log,
    session,
    setSession(replacement: HostSession | undefined): void {
      current = replacement;
    },
    runner,
    script: (...steps: FauxResponseStep[]) => faux.setResponses(steps),
    async run(text: string, { onOutput, ...request }: RunOptions = {}): Promise<Ran> {
      const outputs: RunOutput[] = [];
      const outcome = await runner.run(runRequest(text, request), (output) => {
        outputs.push(output);
        onOutput?.(output);
      });
      return { outcome, outputs, reply: replyOf(outputs) };
    },
    write: (name: string, text: string) => writeFile(join(workspace, name), text),
    read: (name: string) => readFile(join(workspace, name), "utf8"),
    /** What a fixture extension recorded. */
    async events(): Promise<{ event: string; pid?: number }[]> {
      const text = await readFile(join(extensionDir, "events.jsonl"), "utf8").catch(() => "");
      return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as { event: string }]));
    },
    async close(): Promise<void> {
      faux.unregister();
      await temp.remove();
    },
  };
}

function runRequest(text: string, fields: Partial<RunRequest> = {}): RunRequest {
  return {
    taskId: TASK_ID,
    contextId: CONTEXT_ID,
    caller: { key: "local", name: "ip:127.0.0.1" },
    message: textMessage(text),
    history: [],
    resumes: false,
    signal: new AbortController().signal,
    ...fields,
  };
}

/** Applies the pieces of the artifact `reply` as a client of a stream does. */
function replyOf(outputs: readonly RunOutput[]): string | undefined {
  let text: string | undefined;
  for (const output of outputs) {
    if (output.kind !== "artifact" || output.artifact.artifactId !== "reply") continue;
    const piece = output.artifact.parts.map((part) => ("text" in part ? part.text : "")).join("");
    text = output.append ? (text ?? "") + piece : piece;
  }
  return text;
}

export function settingsWith(server: Partial<ServerSettings> = {}): Settings {
  const defaults = testSettings();
  return { ...defaults, server: { ...defaults.server, maxConcurrent: 2, ...server } };
}

function scriptedModel({ contextWindow = 128_000, tokensPerSecond }: SdkHostOptions) {
  const model = { id: "scripted", name: "Scripted", reasoning: true, contextWindow, maxTokens: 4_096, cost: NO_COST };
  const faux = registerFauxProvider({
    provider: "faux",
    models: [model],
    ...(tokensPerSecond === undefined ? {} : { tokensPerSecond }),
  });
  const registry = ModelRegistry.inMemory(AuthStorage.inMemory());
  registry.registerProvider("faux", {
    baseUrl: "http://127.0.0.1:9",
    apiKey: "none",
    api: faux.api,
    models: [{ ...model, input: ["text"] }],
  });
  return { faux, registry };
}
