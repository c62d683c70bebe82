// The composition root of everything heavy: settings, client, server. Loaded on first use, so that a session which never speaks
// A2A pays nothing. One instance serves a process until quit, or until a reload puts a newer one in its place.

import { readProxyVariables } from "../core/config/env.ts";
import { globalSettingsPath } from "../core/config/paths.ts";
import { type SettingsEdit, saveSettings } from "../core/config/save.ts";
import { createSessionEdits, type SessionEdits } from "../core/config/session-edits.ts";
import type { LoadedSettings, Settings } from "../core/config/settings.ts";
import type { Clock } from "../core/platform/clock.ts";
import { createCommandPort } from "../core/platform/command.ts";
import { A2aError } from "../core/platform/errors.ts";
import { createFilesPort, type FilesPort } from "../core/platform/files.ts";
import { createHttpPort } from "../core/platform/http.ts";
import { proxySettings } from "../core/platform/http-proxy.ts";
import type { HttpPort } from "../core/platform/http-types.ts";
import { createRandomIds } from "../core/platform/ids.ts";
import type { Log } from "../core/platform/log.ts";
import { createSharedFiles } from "../core/platform/shared-file.ts";
import type { Part } from "../core/protocol/types.ts";
import type { RunningAudit } from "../core/security/audit/audit.ts";
import { NETWORK_RULES } from "../core/security/call-rule.ts";
import { asSent, secretsOf } from "../core/security/redact/known-secrets.ts";
import { createRedaction, type Redaction } from "../core/security/redact/redaction.ts";
import { createA2aClient } from "../outbound/client.ts";
import type { A2aClient } from "../outbound/client-types.ts";
import { createCommandTokens } from "../outbound/command-tokens.ts";
import { createDispatchFiles } from "./dispatched/dispatch-files.ts";
import { createDispatched, type Dispatched, UNWATCHED } from "./dispatched/dispatched.ts";
import { openAudit } from "./files/audit-file.ts";
import { readOutgoingFiles } from "./files/outgoing-files.ts";
import { createReplyStore, type ReplyStore } from "./files/reply-store.ts";
import type { LiveHost } from "./host/live-host.ts";
import { readSettings } from "./read-settings.ts";
import { createServerControl, needUsableSettings, needWorkspace, type ServerControl } from "./server-control.ts";
import { buildServer } from "./server-parts.ts";

export interface Services {
  /** Random; names this session in the chains of work that passes through it. */
  readonly sessionId: string;
  readonly client: A2aClient;
  /** Of everything that leaves this process or is shown of its inside; knows the secrets of the settings. */
  readonly redaction: Redaction;
  readonly audit: Pick<RunningAudit, "path" | "problem">;
  readonly replies: ReplyStore;
  /** Tasks that were handed over and not waited for. */
  readonly dispatched: Dispatched;
  /** The files at these paths of the folder as parts. */
  readonly outgoing: (cwd: string, paths: readonly string[]) => Promise<readonly Part[]>;
  readonly server: ServerControl;
  /** Reads the settings again; later calls and the next server start use them. */
  readonly reloadSettings: () => Promise<LoadedSettings>;
  /** Writes these changes into the global settings file, then reads the settings again. */
  readonly saveSettings: (edits: readonly SettingsEdit[]) => Promise<LoadedSettings>;
  /** What the person changed in this session only; the next reading of the settings takes it in. */
  readonly edits: SessionEdits;
  readonly workspace: () => string;
  stop(reason: string): Promise<void>;
}

export interface ServicesDeps {
  readonly host: LiveHost;
  readonly clock: Clock;
  readonly log: Log;
  /** Those of the load of this package before a reload: its server is taken over, its calls run to their end. */
  readonly before?: Services;
}

/** Throws SESSION_UNAVAILABLE before the first session_start. */
export async function createServices({ host, clock, log, before }: ServicesDeps): Promise<Services> {
  const session = host.current();
  if (session === undefined) throw new A2aError("SESSION_UNAVAILABLE", "no Pi session has started yet");
  const ids = createRandomIds();
  const files = createFilesPort();
  const proxies = proxySettings(readProxyVariables());
  const openHttp = (): HttpPort => createHttpPort({ clock, network: NETWORK_RULES, proxies });
  const sessionId = before?.sessionId ?? ids.token();
  const edits = before?.edits ?? createSessionEdits();
  const load = (): Promise<LoadedSettings> => readSettings(files, host.current() ?? session, edits.layer());
  let loaded = await load();
  const settings = (): Settings => loaded.settings;
  const reloadSettings = async (): Promise<LoadedSettings> => {
    loaded = await load();
    return loaded;
  };
  const workspace = (): string => settings().server.workspace || (host.current()?.cwd ?? session.cwd);
  const tokens = createCommandTokens({ clock, commands: createCommandPort(clock), cwd: () => session.agentDir });
  const redaction = createRedaction(() => [...secretsOf(settings()), ...tokens.known().flatMap(asSent)]);
  const audit = openAudit({ agentDir: session.agentDir, clock, host, log, redaction });
  const client = createA2aClient({ http: openHttp(), clock, ids, log, settings, redaction, sessionId, audit, tokens });
  const replies = createReplyStore({ files, ids, log }, session.agentDir);
  const dispatched = openDispatched(
    { clock, log, client, replies, host, redaction, files, settings },
    session.agentDir,
  );
  const outgoing: Services["outgoing"] = (cwd, paths) => readOutgoingFiles(files, cwd, paths);
  const outbound = {
    replies: async () => replies,
    dispatched: async () => UNWATCHED,
    outgoing,
    async client() {
      await reloadSettings();
      return client;
    },
  };
  const parts = { host, sessionId, clock, ids, log, files, openHttp, settings, redaction, audit, outbound };
  const server = createServerControl(async () => {
    needUsableSettings(settings());
    const taken = await before?.server.release();
    // A server that is taken over goes on: the tasks it has may still work where they are.
    if (taken === undefined) await needWorkspace(files, workspace());
    try {
      return await buildServer(parts, taken);
    } catch (error) {
      if (taken !== undefined) before?.server.takeBack(taken);
      throw error;
    }
  });

  return {
    ...{ sessionId, client, redaction, audit, replies, dispatched, outgoing, server },
    edits,
    workspace,
    reloadSettings,
    async saveSettings(changes) {
      const path = globalSettingsPath((host.current() ?? session).agentDir);
      await saveSettings({ shared: createSharedFiles(clock), path, edits: changes });
      return await reloadSettings();
    },
    stop: (reason) => stopAll({ clock, client, server, audit, dispatched, before }, reason),
  };
}

type DispatchParts = Pick<Services, "client" | "replies" | "redaction"> & Pick<ServicesDeps, "clock" | "log" | "host">;

function openDispatched(
  parts: DispatchParts & { readonly files: FilesPort; readonly settings: () => Settings },
  agentDir: string,
): Dispatched {
  const { clock, log, client, replies, host, redaction, files, settings } = parts;
  return createDispatched({
    ...{ clock, log, client, replies, host },
    files: createDispatchFiles(files, agentDir, clock.now),
    wake: () => settings().ui.wake,
    longestPauseMs: () => settings().timeouts.async,
    redact: redaction.text,
  });
}

type Parts = Pick<Services, "client" | "server" | "dispatched"> & {
  readonly audit: RunningAudit;
  readonly clock: Clock;
  readonly before: Services | undefined;
};

async function stopAll(parts: Parts, reason: string): Promise<void> {
  const { clock, client, server, audit, dispatched, before } = parts;
  dispatched.pause();
  // Callers hear how their tasks ended even when a deaf child is all there is to wait for.
  const held = clock.hold();
  try {
    await Promise.all([client.close(), server.stop(reason)]);
    await before?.stop(reason);
  } finally {
    await audit.stop();
    held.stop();
  }
}
