// Owns one JSON-RPC request to a peer (A2A 1.0 §9): headers, id, tries, status, decoding. Every error it throws names the peer.

import { A2aError, isA2aError } from "../core/platform/errors.ts";
import type { HttpResponse } from "../core/platform/http-types.ts";
import { parseJson } from "../core/platform/json.ts";
import { decodeRpcResponse } from "../core/protocol/jsonrpc.ts";
import { createSseParser, type SseEvent } from "../core/protocol/sse.ts";
import { traceHeaders } from "../core/protocol/trace-context.ts";
import type { CallLimit } from "./call-limit.ts";
import type { Dialect } from "./dialect.ts";
import { excerpt } from "./excerpt.ts";
import { askInDialect } from "./in-dialect.ts";
import type { Linger } from "./linger.ts";
import type { Outgoing } from "./logins.ts";
import type { Endpoint, OutboundDeps } from "./outbound-deps.ts";
import { encodeRequest, isQuestion, type PeerRequest, versionHeader } from "./peer-request.ts";
import { sendUntilTaken } from "./sending.ts";
import { withLogin } from "./with-login.ts";

export const CONNECT_TIMEOUT_MS = 10_000;
const MAX_REPLY_BYTES = 16 * 1024 * 1024;
export const OWN_HEADERS = { "User-Agent": "pi-a2a" } as const;

export type RpcDeps = Pick<OutboundDeps, "http" | "clock" | "ids" | "log" | "settings" | "tokens" | "redaction">;

export interface RpcCall {
  readonly request: PeerRequest;
  readonly limit: CallLimit;
  /** Milliseconds of silence that end the answer; absent = only the call's limit does. */
  readonly silenceMs?: number;
  /** Lets the exchange outlive the limit a little; absent = it ends with the limit. */
  readonly linger?: Linger;
}

/** A successful answer whose body is still to be read, and the id that it has to carry. */
export interface OpenAnswer {
  readonly response: HttpResponse;
  readonly id: string;
  /** In lower case, without parameters. */
  readonly contentType: string;
  /** Takes our own secrets out of what the peer repeats of them. */
  readonly clean: (text: string) => string;
}

/** Sends a request and decodes its one result. */
export async function callRpc<T>(
  deps: RpcDeps,
  endpoint: Endpoint,
  call: RpcCall,
  decode: (result: unknown) => T,
): Promise<T> {
  return await namingPeer(endpoint, () =>
    askInDialect(deps, endpoint, call.request, async (dialect) => {
      const answer = await openRpc(deps, endpoint, call, dialect);
      return decode(await readResult(endpoint, answer));
    }),
  );
}

/** Sends a request; PEER_REFUSED, PEER_ERROR or PEER_BAD_REPLY when the status is no success. */
export async function openRpc(deps: RpcDeps, endpoint: Endpoint, call: RpcCall, dialect: Dialect): Promise<OpenAnswer> {
  const id = deps.ids.token();
  const { limit, linger } = call;
  const encoded = encodeRequest(call.request, dialect);
  const { method } = encoded;
  const params = endpoint.tenant === undefined ? encoded.params : { ...encoded.params, tenant: endpoint.tenant };
  const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
  const request = ({ headers, addresses }: Outgoing): Promise<HttpResponse> => {
    linger?.onTry();
    return deps.http.request({
      method: "POST",
      url: endpoint.url,
      headers: {
        ...OWN_HEADERS,
        ...versionHeader(dialect),
        ...traceHeaders(endpoint.trace),
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...headers,
      },
      body,
      repeatable: isQuestion(call.request),
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      maxBytes: MAX_REPLY_BYTES,
      signal: linger?.signal ?? limit.signal,
      addresses,
      verifySsl: deps.settings().verifySsl,
      ...(call.silenceMs === undefined ? {} : { idleTimeoutMs: call.silenceMs }),
      ...(linger === undefined ? {} : { onSent: linger.onSent }),
    });
  };
  const login = withLogin(deps, { called: endpoint, url: endpoint.url, limit, wanted: endpoint.wanted ?? "", request });
  const response = await sendUntilTaken(deps, { peer: endpoint.peer.name, id, limit, ...login });
  const contentType = (response.headers.get("content-type") ?? "").split(";", 1).join("").trim().toLowerCase();
  return { response, id, contentType, clean: (text) => deps.redaction?.known(text) ?? text };
}

/** The result of a unary answer; some peers wrap it in an event stream. */
async function readResult(endpoint: Endpoint, answer: OpenAnswer): Promise<unknown> {
  if (answer.contentType !== "text/event-stream") return await readJsonResult(endpoint, answer);
  for await (const event of readEvents(answer.response)) return resultOf(event.data, answer, endpoint);
  throw new A2aError("PEER_BAD_REPLY", `${endpoint.peer.name} ended its stream without an event`);
}

/** The result of an answer in JSON, whatever its content type claims. */
export async function readJsonResult(endpoint: Endpoint, answer: OpenAnswer): Promise<unknown> {
  const text = await answer.response.text();
  if (text.trim() === "") {
    throw new A2aError(
      "PEER_BAD_REPLY",
      `${endpoint.peer.name} answered HTTP ${answer.response.status} without a body`,
    );
  }
  return resultOf(text, answer, endpoint);
}

/** The events of a stream, each at most as large as a reply: it may hold a whole task. Leaving closes the connection. */
export async function* readEvents(response: HttpResponse): AsyncGenerator<SseEvent, void> {
  const parser = createSseParser({ maxEventBytes: MAX_REPLY_BYTES });
  for await (const chunk of response.chunks()) yield* parser.push(chunk);
  yield* parser.end();
}

/** The result in JSON-RPC text; PEER_BAD_REPLY when it is no reply to this request, PEER_ERROR when it holds an error. */
export function resultOf(text: string, answer: OpenAnswer, endpoint: Endpoint): unknown {
  return decodeRpcResponse(parseReply(answer.clean(text), answer, endpoint), answer.id);
}

function parseReply(text: string, answer: OpenAnswer, endpoint: Endpoint): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!isA2aError(error)) throw error;
    const { status } = answer.response;
    const type = answer.contentType === "" ? "no content type" : answer.contentType;
    const what = `${endpoint.peer.name} answered HTTP ${status} (${type}) and ${error.message}`;
    throw new A2aError("PEER_BAD_REPLY", `${what}: ${excerpt(text, type)}`, { cause: error });
  }
}

/** Runs `work`; its errors about the peer get the peer's name when they lack it. */
export async function namingPeer<T>(endpoint: Pick<Endpoint, "peer">, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withPeerName(endpoint.peer.name, error);
  }
}

export function withPeerName(name: string, error: unknown): unknown {
  if (!isA2aError(error) || !error.code.startsWith("PEER_") || mentions(error.message, name)) return error;
  return new A2aError(error.code, `${name}: ${error.message}`, {
    hint: error.hint,
    metadata: error.metadata,
    cause: error,
    ...(error.retryAfterSec === undefined ? {} : { retryAfterSec: error.retryAfterSec }),
  });
}

/** Whole words only: a peer may be called "a". */
function mentions(message: string, name: string): boolean {
  return message.split(/[\s;,]+/).some((word) => word.replace(/[:.]+$/, "") === name);
}
