import assert from "node:assert/strict";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Context, fauxAssistantMessage as say } from "@mariozechner/pi-ai";
import {
  type AgentSession,
  createAgentSession,
  DefaultResourceLoader,
  SessionManager,
  SettingsManager,
} from "@mariozechner/pi-coding-agent";
import type { ToolLimits } from "../../src/pi/host/launch-args.ts";
import { createSdkHost, type SdkHost, type SdkHostOptions } from "../support/sdk-host.ts";

const FIXTURES = fileURLToPath(new URL("fixtures", import.meta.url));

/** A stand-in for this package: serving is what a child must never do. */
const SERVING_EXTENSION = `
import { appendFileSync } from "node:fs";
export default function serving(pi) {
  appendFileSync(process.env.TEST_LOADED_FILE, "loaded\\n");
  pi.registerCommand("a2a-server", { handler: async () => undefined });
  pi.on("session_start", () => appendFileSync(process.env.TEST_LOADED_FILE, "serving\\n"));
}`;

describe("what a child session takes from the host", () => {
  let host: SdkHost;
  const start = async (options?: SdkHostOptions): Promise<void> => {
    host = await createSdkHost(options);
  };
  /** What the model of the next run is offered and told. */
  const listen = (): Context[] => {
    const seen: Context[] = [];
    host.script((context) => {
      seen.push(context);
      return say("ok");
    });
    return seen;
  };
  afterEach(() => host.close());

  it("is the provider, model and thinking level, also of an extension; the host's own calls work before and after (L08)", async () => {
    await start({ extensions: ["own-provider.ts"] });
    const own = await hostSession(host);
    const model = host.registry.find("own", "own-model");
    assert.ok(model);
    await own.setModel(model);
    host.setSession({ ...host.session, model, thinkingLevel: "high" });
    const ask = async (): Promise<string | undefined> => {
      await own.prompt("hello");
      return own.getLastAssistantText();
    };
    assert.equal(await ask(), "own/own-model, thinking medium, alive");
    for (let count = 0; count < 2; count++) {
      const { outcome, reply } = await host.run("hello");
      assert.deepEqual(outcome, { kind: "completed" });
      assert.equal(reply, "own/own-model, thinking high, alive");
      assert.equal(await ask(), "own/own-model, thinking medium, alive");
    }
    own.dispose();
  });

  it("does not include providers that only its own extensions know, and says so in the log", async () => {
    await start({ extensions: ["own-provider.ts"] });
    host.script(say("done"));
    const { outcome } = await host.run("work");
    assert.deepEqual(outcome, { kind: "completed" });
    assert.equal(host.registry.find("own", "own-model"), undefined);
    assert.match(JSON.stringify(host.log.lines()), /provider own, which only an extension of a child/);
  });

  it("is no workspace that is not a folder: the task fails before the model is called", async () => {
    await start();
    await host.write("a-file", "x");
    for (const name of ["nowhere", "a-file"]) {
      const seen = listen();
      host.setSession({ ...host.session, cwd: join(host.workspace, name) });
      const { outcome } = await host.run("work");
      assert.equal(outcome.kind, "failed");
      assert.match(outcome.kind === "failed" ? outcome.reason : "", /workspace is not a folder/);
      assert.equal(seen.length, 0);
    }
  });

  it("is its skills and context files", async () => {
    await start();
    await addSkill(join(host.agentDir, "skills", "greet"), "greet");
    await host.write("AGENTS.md", "Always answer in rhyme.");
    const seen = listen();
    await host.run("work");
    assert.match(seen[0]?.systemPrompt ?? "", /<name>greet<\/name>/);
    assert.match(seen[0]?.systemPrompt ?? "", /Always answer in rhyme\./);
  });

  it("is what is there when the task begins: what changed since the last one is seen", async () => {
    await start();
    const probe = join(host.agentDir, "..", "probe");
    await copyExtension("probe.ts", probe);
    await host.write("AGENTS.md", "Answer in rhyme.");
    const seen = listen();
    await host.run("work");
    await host.write("AGENTS.md", "Answer in prose.");
    await addSkill(join(host.agentDir, "skills", "greet"), "greet");
    await writeFile(join(host.agentDir, "settings.json"), JSON.stringify({ extensions: [join(probe, "probe.ts")] }));
    const later = listen();
    await host.run("work");
    const told = (contexts: readonly Context[]): readonly (boolean | undefined)[] => [
      /in rhyme/.test(contexts[0]?.systemPrompt ?? ""),
      /in prose/.test(contexts[0]?.systemPrompt ?? ""),
      /<name>greet<\/name>/.test(contexts[0]?.systemPrompt ?? ""),
      contexts[0]?.tools?.some(({ name }) => name === "probe"),
    ];
    assert.deepEqual(told(seen), [true, false, false, false]);
    assert.deepEqual(told(later), [false, true, true, true]);
  });

  it("is its packages and the project's extensions", async () => {
    await start();
    const packageDir = join(host.agentDir, "..", "package");
    await copyExtension("probe.ts", packageDir);
    await writeFile(
      join(packageDir, "package.json"),
      JSON.stringify({ name: "x", pi: { extensions: ["./probe.ts"] } }),
    );
    await writeFile(join(host.agentDir, "settings.json"), JSON.stringify({ packages: [packageDir] }));
    await copyExtension("deferring.ts", join(host.workspace, ".pi", "extensions"));
    const seen = listen();
    await host.run("work");
    assert.ok(seen[0]?.tools?.some((tool) => tool.name === "probe"));
    const events = await readFile(join(host.workspace, ".pi", "extensions", "events.jsonl"), "utf8");
    assert.match(events, /work done/);
  });

  it("is no discovered extension when the host was started without discovery", async () => {
    await start({ session: { discoverExtensions: false }, extensions: ["deferring.ts"] });
    await copyExtension("probe.ts", join(host.workspace, ".pi", "extensions"));
    const seen = listen();
    await host.run("work");
    assert.ok(!seen[0]?.tools?.some((tool) => tool.name === "probe"));
    assert.equal((await host.events()).length, 3);
  });

  it("is not this package: it is not even loaded, also through a symbolic link (L07)", async () => {
    await start();
    const { real, link, loaded } = await servingPackage(host);
    for (const path of [real, link]) {
      host.setSession({ ...host.session, ownPackageDir: real, extensionPaths: [path] });
      host.script(say("ok"));
      assert.deepEqual((await host.run("work")).outcome, { kind: "completed" });
    }
    assert.equal(await loaded(), "");
  });

  it("is another extension in this package's own checkout", async () => {
    await start();
    const { real, loaded } = await servingPackage(host);
    await copyExtension("probe.ts", join(real, ".pi", "extensions"));
    host.setSession({
      ...host.session,
      cwd: real,
      ownPackageDir: real,
      extensionPaths: [join(real, "src", "index.ts")],
    });
    const seen = listen();
    await host.run("work");
    assert.ok(seen[0]?.tools?.some((tool) => tool.name === "probe"));
    assert.equal(await loaded(), "");
  });

  it("is not another copy of this package: it is never told that a session starts (L07)", async () => {
    await start();
    const { real, loaded } = await servingPackage(host);
    host.setSession({ ...host.session, extensionPaths: [real] });
    host.script(say("ok"));
    await host.run("work");
    assert.equal(await loaded(), "loaded\n");
  });

  it("is the tools that the wiring adds", async () => {
    await start({
      childTools: () => [
        {
          name: "extra",
          label: "Extra",
          description: "An extra tool",
          parameters: { type: "object", properties: {} },
          execute: async () => ({ content: [], details: {} }),
        },
      ],
    });
    const seen = listen();
    await host.run("work");
    assert.deepEqual(
      seen[0]?.tools?.map((tool) => tool.name),
      ["read", "bash", "edit", "write", "a2a_ask_caller", "a2a_attach", "extra"],
    );
  });

  describe("is its limits on tools, beside which the child can speak with its caller", () => {
    const OWN = ["a2a_ask_caller", "a2a_attach"];
    const limits: readonly (readonly [flag: string, tools: ToolLimits, left: readonly string[]])[] = [
      ["--tools read", { only: ["read"] }, ["read", ...OWN]],
      ["--tools read,probe", { only: ["read", "probe"] }, ["read", ...OWN, "probe"]],
      ["--no-tools", { none: "all" }, OWN],
      ["--no-builtin-tools", { none: "builtin" }, [...OWN, "probe"]],
    ];
    for (const [flag, tools, left] of limits) {
      it(flag, async () => {
        await start({ extensions: ["probe.ts"], session: { tools } });
        const seen = listen();
        await host.run("work");
        assert.deepEqual(
          seen[0]?.tools?.map((tool) => tool.name),
          left,
        );
      });
    }
  });

  it("never changes the user's settings", async () => {
    await start({ extensions: ["settings-writer.ts"] });
    const path = join(host.agentDir, "settings.json");
    const text = JSON.stringify({ defaultProvider: "x", defaultModel: "y", defaultThinkingLevel: "high" });
    await writeFile(path, text);
    host.script(say("ok"));
    assert.deepEqual((await host.run("work")).outcome, { kind: "completed" });
    assert.equal(await readFile(path, "utf8"), text);
    assert.deepEqual((await readdir(host.agentDir)).sort(), ["a2a_sessions", "settings.json"]);
  });

  it("is the configured workspace instead of its own folder", async () => {
    await start({ server: { workspace: FIXTURES } });
    const seen = listen();
    await host.run("work");
    assert.ok(seen[0]?.systemPrompt?.includes(FIXTURES));
  });
});

/** The session of the host itself, with the extensions it was started with. */
async function hostSession(host: SdkHost): Promise<AgentSession> {
  const settingsManager = SettingsManager.inMemory({});
  const loader = new DefaultResourceLoader({
    cwd: host.workspace,
    agentDir: host.agentDir,
    settingsManager,
    additionalExtensionPaths: [...host.session.extensionPaths],
  });
  await loader.reload();
  const { session } = await createAgentSession({
    cwd: host.workspace,
    agentDir: host.agentDir,
    modelRegistry: host.registry,
    authStorage: host.registry.authStorage,
    settingsManager,
    resourceLoader: loader,
    sessionManager: SessionManager.inMemory(host.workspace),
  });
  await session.bindExtensions({});
  return session;
}

async function copyExtension(name: string, folder: string): Promise<void> {
  await cp(join(FIXTURES, name), join(folder, name));
}

async function addSkill(folder: string, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "SKILL.md"), `---\nname: ${name}\ndescription: Greets people\n---\nSay hello.\n`);
}

async function servingPackage(host: SdkHost) {
  const root = join(host.agentDir, "..");
  const real = join(root, "own");
  const link = join(root, "link");
  const loadedFile = join(root, "loaded.txt");
  await mkdir(join(real, "src"), { recursive: true });
  await writeFile(join(real, "package.json"), JSON.stringify({ name: "own", pi: { extensions: ["./src/index.ts"] } }));
  await writeFile(
    join(real, "src", "index.ts"),
    SERVING_EXTENSION.replaceAll("process.env.TEST_LOADED_FILE", JSON.stringify(loadedFile)),
  );
  await symlink(real, link);
  return { real, link, loaded: () => readFile(loadedFile, "utf8").catch(() => "") };
}
