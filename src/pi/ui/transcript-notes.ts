// Owns transcript lines that the person sees and the model does not, unless the person wants it to. The hosts differ here, and
// only here: the current line has entries outside the context; 0.73.1 has custom messages, which are kept empty, drawn from
// their details and filtered out of the context. A message sent during a run may cost a model call and come between a tool call
// and its result, so messages wait until the host is idle.

import type { ExtensionAPI, MessageRenderOptions, Theme } from "@mariozechner/pi-coding-agent";
import type { Component } from "@mariozechner/pi-tui";
import type { Clock, Timer } from "../../core/platform/clock.ts";
import { isObject } from "../../core/platform/json.ts";
import { cutLines, wrappedLines } from "./lines.ts";
import type { Level } from "./show-text.ts";

const ENTRY_TYPE = "a2a-note";
/** A message of this type is in the context, as its text. */
const CONTEXT_TYPE = "a2a-activity";
const IDLE_CHECK_MS = 100;
/** Lines that wait for an idle host; the oldest go first beyond this. */
const MAX_WAITING = 500;

export interface Note {
  /** Safe for a terminal; the first line shows collapsed, all lines expanded. */
  readonly lines: readonly string[];
  readonly tone: "dim" | "success" | Level;
  /** Show every line also when collapsed (a reply the person asked for). */
  readonly open?: boolean;
  /** Let the model read it too. */
  readonly inContext?: boolean;
}

export interface Notes {
  add(note: Note): void;
  /** Drops what still waits and stops checking. */
  close(): void;
}

/** Call in the factory: it registers the renderer. `isIdle` must be false while no session is live. */
export function createNotes(pi: ExtensionAPI, clock: Clock, isIdle: () => boolean): Notes {
  const messages = messageNotes(pi, clock, isIdle);
  if (hasEntryRenderer(pi)) return entryNotes(pi, pi.registerEntryRenderer, messages);
  filterContext(pi);
  return messages;
}

function entryNotes(pi: ExtensionAPI, register: RegisterEntryRenderer, messages: Notes): Notes {
  register.call(pi, ENTRY_TYPE, (entry, options, theme) =>
    drawNote(isObject(entry) ? entry.data : undefined, options, theme),
  );
  return {
    add(note) {
      if (note.inContext === true) messages.add(note);
      else pi.appendEntry(ENTRY_TYPE, plain(note));
    },
    close: messages.close,
  };
}

function filterContext(pi: ExtensionAPI): void {
  pi.registerMessageRenderer(ENTRY_TYPE, (message, options, theme) => drawNote(message.details, options, theme));
  pi.on("context", (event) => ({ messages: event.messages.filter((message) => !isNoteMessage(message)) }));
}

function messageNotes(pi: ExtensionAPI, clock: Clock, isIdle: () => boolean): Notes {
  pi.registerMessageRenderer(CONTEXT_TYPE, (message, options, theme) => drawNote(message.details, options, theme));
  const waiting: Note[] = [];
  let timer: Timer | undefined;
  const stopChecking = (): void => {
    timer?.stop();
    timer = undefined;
  };
  const flush = (): void => {
    if (waiting.length > 0 && isIdle()) {
      for (const note of waiting.splice(0)) pi.sendMessage(messageOf(note));
    }
    if (waiting.length === 0) stopChecking();
    else timer ??= clock.every(IDLE_CHECK_MS, flush);
  };
  return {
    add(note) {
      waiting.push(note);
      if (waiting.length > MAX_WAITING) waiting.shift();
      flush();
    },
    close() {
      stopChecking();
      waiting.length = 0;
    },
  };
}

/** `note` as a message for the host. */
export function messageOf(note: Note) {
  const inContext = note.inContext === true;
  return {
    customType: inContext ? CONTEXT_TYPE : ENTRY_TYPE,
    content: inContext ? note.lines.join("\n") : "",
    display: true,
    details: plain(note),
  };
}

/** Details are cloned by the host, so they hold plain data only. */
function plain(note: Note): { lines: string[]; tone: string; open: boolean } {
  return { lines: [...note.lines], tone: note.tone, open: note.open === true };
}

function isNoteMessage(message: unknown): boolean {
  return isObject(message) && message.role === "custom" && message.customType === ENTRY_TYPE;
}

function drawNote(data: unknown, options: Pick<MessageRenderOptions, "expanded">, theme: Theme): Component {
  const note = isObject(data) ? data : {};
  const lines = Array.isArray(note.lines) ? note.lines.filter((line): line is string => typeof line === "string") : [];
  const paint = painter(note.tone, theme);
  if (options.expanded || note.open === true) return wrappedLines(lines.map(paint));
  return cutLines(lines.slice(0, 1).map(paint));
}

function painter(tone: unknown, theme: Theme): (line: string) => string {
  if (tone === "error" || tone === "warning" || tone === "success" || tone === "dim")
    return (line) => theme.fg(tone, line);
  return (line) => line;
}

type EntryRenderer = (entry: unknown, options: Pick<MessageRenderOptions, "expanded">, theme: Theme) => Component;
type RegisterEntryRenderer = (this: ExtensionAPI, type: string, renderer: EntryRenderer) => void;

function hasEntryRenderer(pi: ExtensionAPI): pi is ExtensionAPI & { registerEntryRenderer: RegisterEntryRenderer } {
  return "registerEntryRenderer" in pi && typeof pi.registerEntryRenderer === "function";
}
