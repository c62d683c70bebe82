// A stand-in for the host's extension API that records what is registered and said; for units only, real Pi is in test/e2e.

import type { ExtensionAPI, ExtensionCommandContext } from "@mariozechner/pi-coding-agent";

type Handler = (event: unknown, ctx: unknown) => unknown;
type Renderer = (value: unknown, options: unknown, theme: unknown) => { render(width: number): string[] };

export interface FakePi {
  readonly api: ExtensionAPI;
  readonly tools: Map<string, unknown>;
  readonly commands: Map<string, { handler(args: string, ctx: ExtensionCommandContext): Promise<void> }>;
  readonly sent: unknown[];
  readonly entries: unknown[];
  /** What the renderer registered for `type` makes of `value`, with a theme that paints nothing. */
  draw(type: string, value: unknown, options: { expanded: boolean }): { render(width: number): string[] };
  emit(event: string, value: unknown, ctx?: unknown): Promise<unknown[]>;
}

/** `entryRenderers` makes it look like the current host line. */
export function createFakePi({ entryRenderers = false } = {}): FakePi {
  const handlers = new Map<string, Handler[]>();
  const fake = {
    tools: new Map(),
    commands: new Map(),
    sent: [] as unknown[],
    entries: [] as unknown[],
  };
  const renderers = new Map<string, Renderer>();
  const api = {
    on: (event: string, handler: Handler) => void handlers.set(event, [...(handlers.get(event) ?? []), handler]),
    registerTool: (tool: { name: string }) => void fake.tools.set(tool.name, tool),
    registerCommand: (name: string, command: unknown) => void fake.commands.set(name, command),
    registerMessageRenderer: (type: string, renderer: Renderer) => void renderers.set(type, renderer),
    sendMessage: (message: unknown) => void fake.sent.push(message),
    appendEntry: (type: string, data: unknown) => void fake.entries.push({ type, data }),
    getThinkingLevel: () => "off",
    getCommands: () => [],
    getActiveTools: () => ["read", "bash"],
    getSessionName: () => undefined,
    ...(entryRenderers
      ? { registerEntryRenderer: (type: string, renderer: Renderer) => void renderers.set(type, renderer) }
      : {}),
  };
  return {
    ...fake,
    api: api as unknown as ExtensionAPI,
    draw(type, value, options) {
      const renderer = renderers.get(type);
      if (renderer === undefined) throw new Error(`no renderer for ${type}`);
      return renderer(value, options, PLAIN_THEME);
    },
    emit: async (event, value, ctx) => Promise.all((handlers.get(event) ?? []).map((handler) => handler(value, ctx))),
  };
}

export interface FakeContext {
  readonly ctx: ExtensionCommandContext;
  readonly notified: { readonly text: string; readonly level: string }[];
  readonly statuses: (string | undefined)[];
}

/** A command context that looks like RPC mode: there is a display, and no custom component is ever shown. */
export function createFakeContext(fields: Record<string, unknown> = {}): FakeContext {
  const notified: { text: string; level: string }[] = [];
  const statuses: (string | undefined)[] = [];
  const ctx = {
    hasUI: true,
    cwd: "/workspace",
    model: undefined,
    modelRegistry: {},
    isIdle: () => true,
    ui: {
      notify: (text: string, level = "info") => void notified.push({ text, level }),
      setStatus: (_key: string, text: string | undefined) => void statuses.push(text),
      custom: async () => undefined,
    },
    ...fields,
  };
  return { ctx: ctx as unknown as ExtensionCommandContext, notified, statuses };
}

const PLAIN_THEME = { fg: (_color: string, text: string) => text, bold: (text: string) => text };
