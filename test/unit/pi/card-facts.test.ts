import assert from "node:assert/strict";
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import type { ServerSettings } from "../../../src/core/config/settings.ts";
import { createCardFacts } from "../../../src/pi/card-facts.ts";
import type { LiveHost } from "../../../src/pi/host/live-host.ts";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.ts";
import { settingsWith } from "../../support/sdk-host.ts";

type Commands = ReturnType<ExtensionAPI["getCommands"]>;

interface Session {
  commands: { name: string; description?: string }[];
  tools: string[];
  name: string | undefined;
  current: object | undefined;
  enrichCard: boolean;
  server: Partial<ServerSettings>;
}

function factsOf(fields: Partial<Session> = {}) {
  const session: Session = {
    commands: [],
    tools: ["read", "bash"],
    name: undefined,
    current: { cwd: "/work", model: { provider: "p", id: "m", name: "Model", apiKey: "never" } },
    enrichCard: true,
    server: {},
    ...fields,
  };
  const host = {
    commands: () => session.commands as Commands,
    tools: () => session.tools,
    sessionName: () => session.name,
    current: () => session.current,
  } as unknown as LiveHost;
  const clock: FakeClock = createFakeClock();
  const base = settingsWith({ agentName: "pi-worker", ...session.server });
  const settings = () => ({ ...base, discovery: { ...base.discovery, enrichCard: session.enrichCard } });
  return { session, clock, facts: createCardFacts({ host, clock, settings }) };
}

describe("card facts", () => {
  it("name the session's skills, each with a tag (W27)", () => {
    const { facts } = factsOf({ commands: [{ name: "skill:lint", description: "Lints.\nWell." }, { name: "other" }] });
    assert.deepEqual(facts().skills, [{ id: "lint", name: "lint", description: "Lints. Well.", tags: ["skill"] }]);
    assert.equal(factsOf().facts().skills[0]?.id, "coding");
  });

  it("name the skills of server.skills instead, when there are any (G11)", () => {
    const skills = [{ id: "docs", name: "Docs", description: "Writes.", tags: ["md"] }];
    const { facts } = factsOf({ commands: [{ name: "skill:lint" }], server: { skills } });
    assert.deepEqual(facts().skills, skills);
  });

  it("tell folder, process, model and tools, and of the model only its names", () => {
    const { clock, facts } = factsOf({ name: "my\u001b[31m work" });
    const { startedAt, ...session } = facts().session ?? {};
    assert.deepEqual(session, {
      pid: process.pid,
      agentName: "pi-worker",
      tools: ["read", "bash"],
      cwd: "/work",
      model: { provider: "p", id: "m", name: "Model" },
      sessionName: "my work",
    });
    assert.ok(Date.parse(String(startedAt)) <= clock.now());
  });

  it("leave out what the session does not have", () => {
    const { facts } = factsOf({ current: undefined });
    assert.deepEqual(Object.keys(facts().session ?? {}).sort(), ["agentName", "pid", "startedAt", "tools"]);
  });

  it("tell nothing of the session when the setting says so", () => {
    assert.equal(factsOf({ enrichCard: false }).facts().session, undefined);
  });

  it("are the same object until something changes, and follow changes within a moment", () => {
    const { session, clock, facts } = factsOf();
    const first = facts();
    clock.tick(10_000);
    assert.equal(facts(), first);
    session.tools = ["read"];
    assert.equal(facts(), first);
    clock.tick(250);
    assert.deepEqual(facts().session?.tools, ["read"]);
    session.commands = [{ name: "skill:new" }];
    clock.tick(250);
    assert.equal(facts().skills[0]?.id, "new");
  });
});
