// Owns the one live session of the host, from session_start to session_shutdown. Nothing else keeps a ctx: its getters go
// stale when the session is replaced. Values read from it stay good, so children may still use the last ones.

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { getAgentDir } from "@mariozechner/pi-coding-agent";
import type { Display } from "../ui/activity-feed.ts";
import { messageOf, type Notes } from "../ui/transcript-notes.ts";
import type { HostPort, HostSession } from "./host-port.ts";

export interface LiveSession {
  readonly pi: ExtensionAPI;
  readonly ctx: ExtensionContext;
  readonly notes: Notes;
  /** What the command line and the package's place say; the same for the whole process. */
  readonly launch: Pick<HostSession, "extensionPaths" | "discoverExtensions" | "tools" | "ownPackageDir">;
}

export interface LiveHost extends HostPort, Display {
  bind(session: LiveSession): void;
  /** Forgets the session if it is the live one. */
  release(pi: ExtensionAPI): void;
  isIdle(): boolean;
  commands(): ReturnType<ExtensionAPI["getCommands"]>;
  /** Names of the tools that the session's model may use now. */
  tools(): readonly string[];
  /** What the person called the session. */
  sessionName(): string | undefined;
  /** What names the session also after a restart: its file, else its id. */
  sessionKey(): string | undefined;
  /** Whether a person looks on; not in print and JSON mode. */
  hasUi(): boolean;
  /** Gives the model this text, which starts a turn; after the run that it is in, if it is in one. */
  wake(text: string): void;
}

const WAKE_OPTIONS = { triggerTurn: true, deliverAs: "followUp" } as const;

export function createLiveHost(): LiveHost {
  let live: LiveSession | undefined;
  let last: HostSession | undefined;
  const read = (): HostSession | undefined => {
    if (live !== undefined) last = ifLive(() => (live === undefined ? undefined : readSession(live))) ?? last;
    return last;
  };
  return {
    bind(session) {
      live = session;
      read();
    },
    release(pi) {
      if (live?.pi !== pi) return;
      read();
      live = undefined;
    },
    current: read,
    isIdle: () => ifLive(() => live?.ctx.isIdle()) ?? false,
    commands: () => ifLive(() => live?.pi.getCommands()) ?? [],
    tools: () => ifLive(() => live?.pi.getActiveTools()) ?? [],
    sessionName: () => ifLive(() => live?.pi.getSessionName()),
    sessionKey: () =>
      ifLive(() => live?.ctx.sessionManager.getSessionFile() ?? live?.ctx.sessionManager.getSessionId()),
    hasUi: () => ifLive(() => live?.ctx.hasUI) ?? false,
    wake: (text) => void ifLive(() => live?.pi.sendMessage(wakeMessage(text), WAKE_OPTIONS)),
    note: (note) => live?.notes.add(note),
    toast: (text, level) => void ifLive(() => (live?.ctx.hasUI === true ? live.ctx.ui.notify(text, level) : undefined)),
    status: (text) => void ifLive(() => live?.ctx.ui.setStatus("a2a", text)),
  };
}

/**
 * The value, or undefined when the session went stale under us: the host replaced it between two events, which is no fault,
 * and the next session_start binds the new one.
 */
function ifLive<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function wakeMessage(text: string) {
  return messageOf({ lines: text.split("\n"), tone: "info", open: true, inContext: true });
}

function readSession({ pi, ctx, launch }: LiveSession): HostSession {
  return {
    cwd: ctx.cwd,
    agentDir: getAgentDir(),
    model: modelOf(ctx),
    modelRegistry: ctx.modelRegistry,
    thinkingLevel: pi.getThinkingLevel(),
    projectTrusted: projectTrusted(ctx),
    ...launch,
  };
}

/** 0.73.1 holds a placeholder where no model was chosen. */
function modelOf({ model }: ExtensionContext): HostSession["model"] {
  return model?.provider === "unknown" && model.id === "unknown" ? undefined : model;
}

/** 0.73.1 has no project trust: everything in the project is loaded there. */
function projectTrusted(ctx: ExtensionContext): boolean {
  if ("isProjectTrusted" in ctx && typeof ctx.isProjectTrusted === "function") return ctx.isProjectTrusted() === true;
  return true;
}
