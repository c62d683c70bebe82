// The contract of outbound HTTP. Types only; ./http.ts makes the port.

/**
 * Which addresses a request may reach. `any` is for what a person typed or configured; `public-or-loopback` is for everything
 * a model or a peer named; `public` is for webhooks, which are never called through a proxy either, since only the proxy would then
 * know which address was called; `not-public` is for a login over plain http, `loopback` for a token that stays on this machine.
 */
export type AddressPolicy = "any" | "public-or-loopback" | "public" | "not-public" | "loopback";

/** What kind of network an IP address belongs to. */
export type AddressKind = "public" | "loopback" | "private" | "link-local";

/** Tells what network an address belongs to, and which of them a policy allows. */
export interface NetworkRules {
  classify(address: string): AddressKind;
  mayConnect(kind: AddressKind, policy: AddressPolicy): boolean;
}

export interface HttpRequest {
  readonly method: "GET" | "POST";
  /** http or https; user and password in it are never sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Asks for something and changes nothing, so that it may be sent again when a reused connection closes on it; so does GET. */
  readonly repeatable?: boolean;
  /** Milliseconds until a connection stands, name look-up and TLS included. */
  readonly connectTimeoutMs: number;
  /** Milliseconds without a byte of the answer, counted from the moment the request was sent; absent = no limit. */
  readonly idleTimeoutMs?: number;
  /** Largest body that `text()` reads; more is PEER_BAD_REPLY. Whoever reads chunks sets limits of their own. */
  readonly maxBytes: number;
  /** Ends the request at once; an A2aError as its reason is what the request then throws. */
  readonly signal: AbortSignal;
  /** Called once the peer may have read something of the request; through a proxy only when the answer begins. */
  readonly onSent?: () => void;
  /** False accepts any TLS certificate. */
  readonly verifySsl?: boolean;
  readonly addresses: AddressPolicy;
}

/** An answer whose body is still to be read: read it to its end or close it, else its socket stays open. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; repeated ones joined with a comma. */
  readonly headers: ReadonlyMap<string, string>;
  /** The whole body as UTF-8, within maxBytes. */
  text(): Promise<string>;
  /** The body as it comes; leaving the loop early closes the connection. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Ends the connection unless the body was read to its end; twice is fine. */
  close(): void;
}

/**
 * Sends requests without following redirects. Throws A2aErrors only: ADDRESS_REFUSED, PEER_UNREACHABLE, PEER_TIMEOUT (silence),
 * PEER_BAD_REPLY (not HTTP, too large), CANCELLED or the signal's own reason.
 */
export interface HttpPort {
  request(request: HttpRequest): Promise<HttpResponse>;
  /** Closes every socket; later requests are refused. */
  close(): void;
}
