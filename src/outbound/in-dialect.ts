// Owns the one second try of a request in another dialect (DESIGN: Outbound): only after an error that proves that the peer has
// not taken it, and only before anything else came.

import { isA2aError } from "../core/platform/errors.ts";
import type { Dialect } from "./dialect.ts";
import { isForeign } from "./dialect.ts";
import type { Endpoint, OutboundDeps } from "./outbound-deps.ts";
import { isOptional, type PeerRequest } from "./peer-request.ts";

const NOT_SERVED = new Set(["400", "404", "405", "501"]);

type Deps = Pick<OutboundDeps, "log">;

/** Runs `ask` in the endpoint's dialect, and once more in the other one when the peer does not know the first. */
export async function askInDialect<T>(
  deps: Deps,
  endpoint: Endpoint,
  request: PeerRequest,
  ask: (dialect: Dialect) => Promise<T>,
): Promise<T> {
  const first = endpoint.dialect.now();
  try {
    return await noted(endpoint, first, () => ask(first));
  } catch (error) {
    const other = otherDialect(deps, endpoint, request, first, error);
    if (other === undefined) throw error;
    return await noted(endpoint, other, () => ask(other)).catch((second: unknown) => {
      throw isUnserved(second) ? error : second;
    });
  }
}

/** The same for what comes as a stream. */
export async function* streamInDialect<T>(
  deps: Deps,
  endpoint: Endpoint,
  request: PeerRequest,
  stream: (dialect: Dialect) => AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  const first = endpoint.dialect.now();
  let begun = false;
  try {
    for await (const item of stream(first)) {
      if (!begun) endpoint.dialect.understood(first);
      begun = true;
      yield item;
    }
    return;
  } catch (error) {
    const other = begun ? undefined : otherDialect(deps, endpoint, request, first, error);
    if (other === undefined) throw error;
    yield* streamOther(endpoint, stream(other), other, error);
  }
}

async function* streamOther<T>(
  endpoint: Endpoint,
  stream: AsyncGenerator<T, void>,
  dialect: Dialect,
  before: unknown,
): AsyncGenerator<T, void> {
  let begun = false;
  try {
    for await (const item of stream) {
      if (!begun) endpoint.dialect.understood(dialect);
      begun = true;
      yield item;
    }
  } catch (error) {
    throw !begun && isUnserved(error) ? before : error;
  }
}

/** Unknown here and there: what the peer said first, in the dialect of its card, says more. */
function isUnserved(error: unknown): boolean {
  if (isForeign(error)) return true;
  return isA2aError(error, "PEER_BAD_REPLY") && NOT_SERVED.has(error.metadata.httpStatus ?? "");
}

/** An error of the task or of its method shows as well as a result that the peer speaks the dialect. */
async function noted<T>(endpoint: Endpoint, dialect: Dialect, ask: () => Promise<T>): Promise<T> {
  try {
    const result = await ask();
    endpoint.dialect.understood(dialect);
    return result;
  } catch (error) {
    if (isA2aError(error, "PEER_ERROR") && !isForeign(error)) endpoint.dialect.understood(dialect);
    throw error;
  }
}

function otherDialect(
  { log }: Deps,
  endpoint: Endpoint,
  request: PeerRequest,
  first: Dialect,
  error: unknown,
): Dialect | undefined {
  const other = endpoint.dialect.insteadOf(first, error, isOptional(request));
  if (other !== undefined)
    log.info(`${endpoint.peer.name} does not know ${request.method} of A2A ${first}; now ${other}`);
  return other;
}
