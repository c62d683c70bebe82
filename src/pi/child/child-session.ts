// One isolated Pi session for one task, from its making to its end: the host's model, thinking level, providers, extensions
// and skills, its own settings and conversation. Ending it stops what runs in it and lets its extensions clean up, whatever
// happened before.

import type { AgentSession, SessionManager, ToolDefinition } from "@mariozechner/pi-coding-agent";
import * as Pi from "@mariozechner/pi-coding-agent";
import { type Clock, within } from "../../core/platform/clock.ts";
import { A2aError } from "../../core/platform/errors.ts";
import type { Log } from "../../core/platform/log.ts";
import type { HostSession } from "../host/host-port.ts";
import type { ChildResources } from "./child-resources.ts";
import { childSettings } from "./child-settings.ts";
import { childModels } from "./registry-view.ts";
import { toolOptions } from "./tool-limits.ts";

/** A provider, tool or extension that does not stop in this time is left behind; the host must be able to quit. */
const STOP_MS = 2_000;
const STOPPED = "the task was stopped";

export interface ChildSpec {
  readonly host: HostSession;
  readonly cwd: string;
  /** Of this child alone. */
  readonly resources: ChildResources;
  readonly conversation: SessionManager;
  /** Tools that it has whatever the host's limits are. */
  readonly own: readonly ToolDefinition[];
  /** Tools that it has as far as the host's limits leave them. */
  readonly lent: readonly ToolDefinition[];
}

export interface ChildSession {
  readonly session: AgentSession;
  /** Tells the extensions that the session starts: they register tools and start their processes then. */
  start(): Promise<void>;
  /** Aborts what runs, tells the extensions that the session ends, and frees it. Never throws; later calls wait for the first. */
  close(): Promise<void>;
}

interface ChildDeps {
  readonly clock: Clock;
  readonly log: Log;
}

export async function createChildSession(deps: ChildDeps, spec: ChildSpec): Promise<ChildSession> {
  const { host, cwd, conversation, resources } = spec;
  const { model } = host;
  const { session } = await Pi.createAgentSession({
    ...childModels(host.modelRegistry, deps.log),
    ...(model === undefined ? {} : { model }),
    cwd,
    agentDir: host.agentDir,
    thinkingLevel: host.thinkingLevel,
    settingsManager: childSettings(resources.fileSettings, model?.contextWindow ?? 0),
    resourceLoader: resources.loader,
    sessionManager: conversation,
    customTools: [...spec.own, ...spec.lent],
    ...toolOptions(
      host.tools,
      spec.own.map(({ name }) => name),
    ),
  });
  return childHandle(deps, session);
}

function childHandle({ clock, log }: ChildDeps, session: AgentSession): ChildSession {
  let started = false;
  let closing: Promise<void> | undefined;
  keepStopped(session, () => closing !== undefined);

  const step = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      if (!(await within(clock, STOP_MS, work()))) log.warn(`child session: ${what} took longer than ${STOP_MS} ms`);
    } catch (error) {
      log.fault(`child session: ${what}`, error);
    }
  };
  const close = async (): Promise<void> => {
    await step("stopping its run", async () => {
      // 0.73.1's abort() leaves a compaction running.
      session.abortCompaction();
      await session.abort();
    });
    // dispose() does not tell the extensions, and after it they cannot act any more.
    if (started) {
      await step("ending its extensions", () =>
        session.extensionRunner.emit({ type: "session_shutdown", reason: "quit" }),
      );
    }
    await step("disposing of it", async () => session.dispose());
  };
  return {
    session,
    async start() {
      started = true;
      await session.bindExtensions({
        onError: ({ extensionPath, event, error }) => log.warn(`child session: ${extensionPath} on ${event}: ${error}`),
      });
    },
    close: () => (closing ??= close()),
  };
}

/**
 * 0.73.1 starts runs that cannot be called back: a continuation after compaction sits in a timer, and a prompt in the hands of
 * another extension's handler goes on afterwards. Once the session closes, no model call and no tool starts any more.
 */
function keepStopped({ agent }: AgentSession, isClosing: () => boolean): void {
  const { transformContext, beforeToolCall } = agent;
  agent.transformContext = async (messages, signal) => {
    if (isClosing()) throw new A2aError("CANCELLED", STOPPED);
    return (await transformContext?.(messages, signal)) ?? messages;
  };
  agent.beforeToolCall = async (call, signal) =>
    isClosing() ? { block: true, reason: STOPPED } : beforeToolCall?.(call, signal);
}
