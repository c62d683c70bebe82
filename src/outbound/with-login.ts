// Owns how a request to a peer gets its login each time it is sent, and what is said when the peer refuses it. A login that a
// command prints is asked for once more after a 401, which proves that the request was not taken.

import { A2aError } from "../core/platform/errors.ts";
import type { HttpResponse } from "../core/platform/http-types.ts";
import type { CallLimit } from "./call-limit.ts";
import { refusedHint } from "./login-refusal.ts";
import { type Called, type Outgoing, outgoingFor } from "./logins.ts";
import type { OutboundDeps } from "./outbound-deps.ts";
import type { Sending } from "./sending.ts";
import { loginOfHeader } from "./wanted-login.ts";

type LoginDeps = Pick<OutboundDeps, "settings" | "tokens" | "redaction">;

interface LoginRequest {
  readonly called: Called;
  readonly url: string;
  readonly limit: CallLimit;
  /** Which login the peer's card asks for; "" when it does not say. */
  readonly wanted?: string;
  /** Sends the request with these headers, under this address policy. */
  readonly request: (outgoing: Outgoing) => Promise<HttpResponse>;
}

/** The part of a sending that knows of logins. */
export function withLogin(deps: LoginDeps, asked: LoginRequest): Pick<Sending, "send" | "explain"> {
  let last: Outgoing | undefined;
  let renewed = false;
  const request = (outgoing: Outgoing): Promise<HttpResponse> => {
    last = outgoing;
    asked.called.onLogin?.(outgoing.note);
    return asked.request(outgoing);
  };
  return {
    async send() {
      const first = await prepare(deps, asked);
      const response = await request(first);
      if (response.status !== 401 || first.printed === undefined || renewed) return response;
      renewed = true;
      const next = await prepare(deps, asked, first.printed);
      if (next.printed === first.printed) return response;
      response.close();
      return await request(next);
    },
    explain(error, response) {
      const hint = last === undefined ? undefined : hintFor(asked, last, response);
      return safely(deps, error, hint);
    },
  };
}

/** Runs the command of the peer's login when there is one. `refused` is what it printed before. */
async function prepare(deps: LoginDeps, asked: LoginRequest, refused?: string): Promise<Outgoing> {
  const { called, url, limit } = asked;
  const outgoing = outgoingFor(called, url, deps.settings());
  const { command } = outgoing;
  if (command === undefined) return outgoing;
  const peer = called.peer.name;
  if (deps.tokens === undefined) throw new A2aError("CONFIG_INVALID", `no command can be run here for ${peer}`);
  const request = { peer, command, signal: limit.signal, ...(refused === undefined ? {} : { refused }) };
  return outgoingFor(called, url, deps.settings(), await deps.tokens.token(request));
}

function hintFor(asked: LoginRequest, { note }: Outgoing, { status, headers }: HttpResponse): string | undefined {
  if (status !== 401 && status !== 403) return undefined;
  const wanted = asked.wanted || loginOfHeader(headers.get("www-authenticate"));
  return refusedHint(asked.called.peer, note, status, wanted);
}

/** An error page may repeat the login that it refuses. */
function safely({ redaction }: LoginDeps, error: A2aError, hint: string | undefined): A2aError {
  const message = redaction?.known(error.message) ?? error.message;
  if (hint === undefined && message === error.message) return error;
  const { code, metadata, retryAfterSec } = error;
  const after = retryAfterSec === undefined ? {} : { retryAfterSec };
  return new A2aError(code, message, { hint: hint ?? error.hint, metadata, cause: error, ...after });
}
