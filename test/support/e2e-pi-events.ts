// What Pi writes in RPC mode, decoded as far as the tests look at it.

/** A line that Pi wrote: `type` and whatever belongs to it. */
export interface PiEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The outcome of one prompt, all turns together. */
export interface Answer {
  /** Text of the last assistant message. */
  readonly text: string;
  readonly stopReason: string;
  /** Set when the stop reason is "error" or "aborted". */
  readonly error: string | undefined;
  readonly results: readonly ToolResult[];
}

interface ToolResult {
  readonly tool: string;
  readonly text: string;
  readonly failed: boolean;
}

/** One line of stdout. */
export function decodeEvent(line: string): PiEvent {
  try {
    return JSON.parse(line) as PiEvent;
  } catch {
    // Something wrote over the protocol: keep it, so that the failing wait shows it.
    return { type: "not_json", line };
  }
}

interface Message {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly text?: string }[];
  readonly stopReason?: string;
  readonly errorMessage?: string;
  readonly toolName?: string;
  readonly isError?: boolean;
}

/** What a run came to, from the events since its prompt. */
export function readAnswer(events: readonly PiEvent[]): Answer {
  const messages = events.filter((e) => e.type === "message_end").map((e) => e.message as Message);
  const last = messages.findLast(({ role }) => role === "assistant");
  return {
    text: last === undefined ? "" : textOf(last),
    stopReason: last?.stopReason ?? "none",
    error: last?.errorMessage,
    results: messages.flatMap((m) =>
      m.role === "toolResult" ? [{ tool: m.toolName ?? "", text: textOf(m), failed: m.isError === true }] : [],
    ),
  };
}

function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("");
}

/** What the footer shows for each key after these events. */
export function readStatuses(events: readonly PiEvent[]): Record<string, string> {
  const texts = new Map<string, string>();
  for (const e of events) {
    if (!isUi(e, "setStatus")) continue;
    if (typeof e.statusText === "string") texts.set(String(e.statusKey), e.statusText);
    else texts.delete(String(e.statusKey));
  }
  return Object.fromEntries(texts);
}

/** True for a call of an extension on this method of `ctx.ui`. */
export function isUi(event: PiEvent, method: string): boolean {
  return event.type === "extension_ui_request" && event.method === method;
}

/** True when Pi waits for an `extension_ui_response`. */
export function isDialog(event: PiEvent): boolean {
  return ["select", "confirm", "input", "editor"].some((method) => isUi(event, method));
}
