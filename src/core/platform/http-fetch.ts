// Owns one exchange by the global fetch, which is the only way to a proxy of the environment. Its own limits stay in force:
// in some hosts it gives up after 300 s of silence. It always checks certificates; without, ./http-tunnel.ts is the way.

import type { Clock } from "./clock.ts";
import type { A2aError } from "./errors.ts";
import { announcedLength, bodyOf, watchSilence } from "./http-body.ts";
import { abortError, cutShort, notSent, silentFor } from "./http-errors.ts";
import type { HttpRequest, HttpResponse } from "./http-types.ts";

export type Fetch = typeof globalThis.fetch;

/** Faults of fetch that come before a byte of the request was sent. */
const BEFORE_SENDING = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

export async function exchangeByFetch(
  deps: { readonly clock: Clock; readonly fetch: Fetch },
  asked: HttpRequest,
  url: URL,
): Promise<HttpResponse> {
  const control = new AbortController();
  let failure: A2aError | undefined;
  const fail = (error: A2aError): void => {
    failure ??= error;
    control.abort();
  };
  const onAbort = (): void => fail(abortError(asked.signal));
  asked.signal.addEventListener("abort", onAbort, { once: true });
  const idle = asked.idleTimeoutMs;
  const silence =
    idle === undefined ? undefined : watchSilence(deps.clock, idle, () => fail(silentFor(url.host, idle)));
  const release = (): void => {
    silence?.stop();
    asked.signal.removeEventListener("abort", onAbort);
  };
  try {
    const answer = await deps.fetch(url, {
      method: asked.method,
      headers: { "Accept-Encoding": "identity", ...asked.headers },
      redirect: "manual",
      signal: control.signal,
      ...(asked.body === undefined ? {} : { body: asked.body }),
    });
    asked.onSent?.();
    const headers = new Map(answer.headers);
    const body = bodyOf(
      {
        host: url.host,
        stream: answer.body ?? noBytes(),
        announced: announcedLength(headers.get("content-length")),
        onBytes: () => silence?.touch(),
        close: () => {
          release();
          control.abort();
        },
        explain: (fault) => failure ?? cutShort(url.host, causeOf(fault), true),
      },
      asked.maxBytes,
    );
    return { status: answer.status, headers, ...body };
  } catch (fault) {
    release();
    throw failure ?? beforeAnswer(url.host, causeOf(fault));
  }
}

function beforeAnswer(host: string, fault: unknown): A2aError {
  const code = fault instanceof Error && "code" in fault ? String(fault.code) : "";
  return BEFORE_SENDING.has(code) ? notSent(host, fault) : cutShort(host, fault, false);
}

/** fetch hides the fault of the connection in the cause of a TypeError. */
function causeOf(fault: unknown): unknown {
  return fault instanceof TypeError && fault.cause !== undefined ? fault.cause : fault;
}

async function* noBytes(): AsyncGenerator<Uint8Array, void> {
  // An answer without a body (204, HEAD) has nothing to yield.
}
