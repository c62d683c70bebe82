// What the scripted model sees and what it does next. Types only.

/** The part of a conversation that the scripted model looks at. */
export interface View {
  /** Text of every user message, oldest first. */
  readonly requests: readonly string[];
  /** Results of the tool calls made since the last user message, in order. */
  readonly outcomes: readonly Outcome[];
  readonly model: string;
  readonly thinking: string;
  readonly tools: readonly string[];
  /** The host asks for a summary of the conversation, not for the next step. */
  readonly summarizing: boolean;
}

export interface Outcome {
  readonly tool: string;
  readonly text: string;
  readonly failed: boolean;
}

/** One assistant message: what is said, then how it ends. */
export interface Turn {
  readonly pieces: readonly Piece[];
  readonly finish: Finish;
}

export interface Piece {
  readonly text: string;
  /** Pause before the piece, in milliseconds. */
  readonly delayMs: number;
}

export type Finish =
  | { readonly kind: "stop" }
  | { readonly kind: "length" }
  | { readonly kind: "error"; readonly message: string }
  | { readonly kind: "call"; readonly tool: string; readonly args: Readonly<Record<string, unknown>> };
