// What a method of the JSON-RPC binding is, whatever dialect it speaks: what it is given, what it gives back, and what must hold
// before its params are read.

import { A2aError } from "../core/platform/errors.ts";
import type { StopSignal } from "../core/platform/stop-signal.ts";
import type { Principal } from "../core/ports.ts";
import type { AgentCard, Json, JsonObject, StreamResponse } from "../core/protocol/types.ts";
import type { Arrival } from "./audit-trail.ts";
import { assertRequiredExtension } from "./extensions.ts";
import type { Operations } from "./operations.ts";
import { pushNotSupported } from "./push/push-operations.ts";
import type { Features } from "./server-types.ts";
import type { TaskStream } from "./task-stream.ts";
import type { WireVersion } from "./version.ts";

export interface CallContext {
  readonly operations: Operations;
  readonly features: Features;
  /** Whether older dialects are served. */
  readonly legacy: boolean;
  readonly caller: Principal;
  /** The trace that this request belongs to, and how it came here. */
  readonly trace: Arrival;
  /** The uris of the extensions that the caller listed. */
  readonly extensions: readonly string[];
  readonly hasExtendedCard: () => boolean;
  readonly extendedCard: () => AgentCard;
  /** For messages that may come without one. */
  readonly newMessageId: () => string;
  /** Aborts when the caller no longer waits. */
  readonly signal: () => StopSignal;
}

/** A result that is JSON text already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The results that a stream carries, one for each frame. */
export interface ResultStream {
  /** undefined after the last one. Throws when the stream ended before its task did. */
  next(): Promise<JsonObject | JsonText | undefined>;
  close(): void;
}

/** `spoken` is the version that the request named; undefined when it named none. */
type Call<T> = (context: CallContext, params: unknown, spoken: WireVersion | undefined) => Promise<T>;

export type Method = {
  /** What must hold before the params are read; each throws when it does not. */
  readonly requires?: readonly ((context: CallContext) => void)[];
} & (
  | { readonly kind: "reply"; readonly run: Call<Json | JsonText> }
  | {
      readonly kind: "stream";
      readonly open: Call<ResultStream>;
      /** Whether the caller hears only in a stream that there is none; absent: it reads a plain reply. */
      readonly errorsAsEvents?: (params: unknown, spoken: WireVersion | undefined) => boolean;
    }
);

/** Each frame of the stream as `encode` writes it. */
export function encodedStream(
  stream: TaskStream,
  encode: (frame: StreamResponse) => JsonObject | JsonText,
): ResultStream {
  return {
    async next() {
      const frame = await stream.next();
      return frame === undefined ? undefined : encode(frame);
    },
    close: () => stream.close(),
  };
}

export function assertRequirements({ requires = [] }: Method, context: CallContext): void {
  for (const assert of requires) assert(context);
}

export function extensionListed({ extensions, features }: CallContext): void {
  assertRequiredExtension(extensions, features);
}

export function streamingOffered({ features }: CallContext): void {
  if (features.streaming ?? true) return;
  throw new A2aError("UNSUPPORTED_OPERATION", "this server does not stream", {
    hint: "Use SendMessage, and poll with GetTask.",
  });
}

export function pushOffered({ features }: CallContext): void {
  if (!(features.push ?? true)) throw pushNotSupported();
}

export function extendedCardOffered({ hasExtendedCard }: CallContext): void {
  if (hasExtendedCard()) return;
  throw new A2aError("UNSUPPORTED_OPERATION", "this server has no extended agent card", {
    hint: "Use the public card.",
  });
}
