// Carries one task stream over server-sent events (A2A 1.0 §9.4.2): each frame an event, a fault after the first frame an
// event of its own, and the slot of the stream given back whatever ends it.

import { type A2aError, ERRORS, isA2aError } from "../core/platform/errors.ts";
import { encodeRpcError, type RpcId } from "../core/protocol/jsonrpc.ts";
import { encodeSseData, encodeSseEvent } from "../core/protocol/sse.ts";
import { startEventWriter } from "./event-writer.ts";
import type { Exchange } from "./exchange.ts";
import type { ReplyDeps } from "./reply.ts";
import type { OpenStream, RpcCall } from "./rpc-binding.ts";

/** Sends the stream until it, the connection or the server ends. */
export async function sendStream(
  exchange: Exchange,
  id: RpcId,
  { stream, encodeFrame }: OpenStream,
  { clock, toWire }: ReplyDeps,
): Promise<void> {
  exchange.onEnd(() => stream.close());
  // The connection may have gone, or the server stopped, while the message was being accepted.
  if (exchange.ended() || exchange.response.headersSent) return;
  const writer = startEventWriter(exchange, clock);
  const fail = (error: A2aError): void => writer.end(encodeSseEvent("error", encodeRpcError(id, error)));
  exchange.onStop(fail);
  try {
    for (let frame = await stream.next(); frame !== undefined; frame = await stream.next()) {
      const full = writer.write(encodeSseData(escapeBreaks(encodeFrame(frame))));
      if (full !== undefined) await full;
    }
    if (!exchange.response.writableEnded) exchange.answers("stream");
    writer.end();
  } catch (error) {
    fail(toWire(error));
  } finally {
    stream.close();
  }
}

/**
 * The stream, or for callers that hear only in a stream that there is none, one whose single event is the error. What has an HTTP
 * status of its own is told by it to everybody.
 */
export async function openedOrTold(
  { errorsAsEvents }: Extract<RpcCall, { kind: "stream" }>,
  opening: Promise<OpenStream>,
): Promise<OpenStream> {
  try {
    return await opening;
  } catch (error) {
    if (!errorsAsEvents || !isA2aError(error) || ERRORS[error.code].http !== 200) throw error;
    return { stream: { next: () => Promise.reject(error), close: () => undefined }, encodeFrame: JSON.stringify };
  }
}

const OTHER_BREAKS = /[\u0085\u2028\u2029]/;
const EVERY_OTHER_BREAK = /[\u0085\u2028\u2029]/g;

/** Some readers also break lines where Unicode does, and would cut an event in two; in JSON these only stand in strings. */
function escapeBreaks(json: string): string {
  if (!OTHER_BREAKS.test(json)) return json;
  return json.replace(EVERY_OTHER_BREAK, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
