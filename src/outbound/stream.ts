// Owns one streaming call (A2A 1.0 §9.4.2): an event stream, or the plain JSON that some peers answer instead, as the same
// sequence of typed responses. Follows nothing and repeats nothing; ./follow.ts does.

import { A2aError } from "../core/platform/errors.ts";
import { decodeStreamResponse } from "../core/protocol/decode-task.ts";
import type { StreamResponse } from "../core/protocol/types.ts";
import type { Dialect } from "./dialect.ts";
import { streamInDialect } from "./in-dialect.ts";
import type { Endpoint } from "./outbound-deps.ts";
import { openRpc, type RpcCall, type RpcDeps, readEvents, readJsonResult, resultOf, withPeerName } from "./rpc.ts";

/**
 * Yields what the peer sends until it ends the stream. Throws PEER_BAD_REPLY for a frame that is no reply to this request,
 * PEER_ERROR for an error in its place, PEER_UNREACHABLE when the connection breaks, PEER_TIMEOUT for silence. Leaving the loop
 * closes the connection.
 */
export async function* streamRpc(
  deps: RpcDeps,
  endpoint: Endpoint,
  call: RpcCall,
): AsyncGenerator<StreamResponse, void> {
  try {
    yield* streamInDialect(deps, endpoint, call.request, (dialect) => streamOnce(deps, endpoint, call, dialect));
  } catch (error) {
    throw withPeerName(endpoint.peer.name, error);
  }
}

async function* streamOnce(
  deps: RpcDeps,
  endpoint: Endpoint,
  call: RpcCall,
  dialect: Dialect,
): AsyncGenerator<StreamResponse, void> {
  const answer = await openRpc(deps, endpoint, call, dialect);
  if (answer.contentType !== "text/event-stream") {
    yield decodeStreamResponse(await readJsonResult(endpoint, answer));
    return;
  }
  let events = 0;
  for await (const event of readEvents(answer.response)) {
    events += 1;
    yield decodeStreamResponse(resultOf(event.data, answer, endpoint));
  }
  if (events === 0) throw new A2aError("PEER_BAD_REPLY", `${endpoint.peer.name} ended its stream without an event`);
}
