import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isA2aError } from "../../../../src/core/platform/errors.ts";
import { createFilesPort } from "../../../../src/core/platform/files.ts";
import { createDispatchFiles } from "../../../../src/pi/dispatched/dispatch-files.ts";
import { dispatchFolder } from "../../../../src/pi/dispatched/dispatch-folder.ts";
import { lookFirst } from "../../../../src/pi/host/first-look.ts";
import type { HostSession } from "../../../../src/pi/host/host-port.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { createSettingsHome, type SettingsHome } from "../../../support/settings-home.ts";

const SESSION = "/sessions/here.jsonl";

interface LookOptions {
  readonly session?: string | undefined;
  readonly hasUi?: boolean;
}

describe("first look", () => {
  let home: SettingsHome;
  const clock = createFakeClock();

  beforeEach(async () => {
    home = await createSettingsHome();
  });

  afterEach(() => home.remove());

  const look = (options: LookOptions = {}) => {
    const session = { agentDir: home.agentDir, cwd: home.repository, projectTrusted: true } as HostSession;
    const sessionKey = () => ("session" in options ? options.session : SESSION);
    const host = { current: () => session, hasUi: () => options.hasUi !== false, sessionKey };
    return lookFirst({ clock, host });
  };

  const dispatch = (session: string): Promise<void> =>
    createDispatchFiles(createFilesPort(), home.agentDir, clock.now).save({
      ...{ agent: "peer", url: "http://127.0.0.1:9910/", taskId: "task-1", session },
      at: clock.now(),
    });

  it("finds nothing to do and no settings where nobody has set any", async () => {
    assert.deepEqual(await look(), { needsServices: false });
  });

  it("reads the settings where there are some, and tells what was not taken", async () => {
    await home.global({ peers: { near: { url: "http://127.0.0.1:9910" } }, server: { port: "abc" } });
    const { loaded, needsServices } = await look();
    assert.deepEqual(Object.keys(loaded?.settings.peers ?? {}), ["near"]);
    assert.match(loaded?.warnings[0]?.text ?? "", /port/);
    assert.equal(needsServices, false);
  });

  it("asks for services when the server is on", async () => {
    await home.global({ server: { enabled: true } });
    assert.equal((await look()).needsServices, true);
  });

  it("asks for services to go on with a dispatched task of this session", async () => {
    await dispatch(SESSION);
    assert.equal((await look()).needsServices, true);
  });

  it("leaves dispatched tasks of other sessions to those", async () => {
    await dispatch("/sessions/there.jsonl");
    assert.equal((await look()).needsServices, false);
    await dispatch(SESSION);
    assert.equal((await look({ session: undefined })).needsServices, false);
  });

  it("does not go on with them where nobody would see it, or nobody wants to", async () => {
    await dispatch(SESSION);
    assert.equal((await look({ hasUi: false })).needsServices, false);
    await home.global({ ui: { wake: "off" } });
    assert.equal((await look()).needsServices, false);
  });

  it("passes over what is no dispatched task", async () => {
    await mkdir(dispatchFolder(home.agentDir));
    await writeFile(join(dispatchFolder(home.agentDir), `${"0".repeat(32)}.json`), "{");
    assert.equal((await look()).needsServices, false);
  });

  it("says so when the folder of the dispatched tasks cannot be read", async () => {
    await rm(dispatchFolder(home.agentDir), { recursive: true, force: true });
    await writeFile(dispatchFolder(home.agentDir), "a file");
    await assert.rejects(look(), (error) => isA2aError(error, "FILE_FAILED"));
  });

  it("needs nothing without a session", async () => {
    const host = { current: () => undefined, hasUi: () => true, sessionKey: () => undefined };
    assert.deepEqual(await lookFirst({ clock, host }), { needsServices: false });
  });
});
