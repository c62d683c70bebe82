// Owns how a request to a peer gets its login, each time it is sent.

import type { HttpResponse } from "../core/platform/http-types.ts";
import { type Called, type Outgoing, outgoingFor } from "./logins.ts";
import type { OutboundDeps } from "./outbound-deps.ts";
import type { Sending } from "./sending.ts";

export interface LoginRequest {
  readonly called: Called;
  readonly url: string;
  /** Sends the request with these headers, under this address policy. */
  readonly request: (outgoing: Outgoing) => Promise<HttpResponse>;
}

/** The part of a sending that knows of logins. */
export function withLogin(deps: Pick<OutboundDeps, "settings">, asked: LoginRequest): Pick<Sending, "send"> {
  return {
    send: async () => await asked.request(outgoingFor(asked.called, asked.url, deps.settings())),
  };
}
