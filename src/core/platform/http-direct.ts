// Owns one exchange over node:http(s): connect, send, wait, read. It sets no timeout of Node's and follows no redirect; what
// ends it early is its own clock, its caller's signal, or the peer.

import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import type { Clock, Timer } from "./clock.ts";
import { A2aError } from "./errors.ts";
import { announcedLength, bodyOf, type SilenceWatch, watchSilence } from "./http-body.ts";
import { abortError, connectTimedOut, cutShort, notSent, silentFor } from "./http-errors.ts";
import { checkLiteral, pinnedLookup, type Resolve } from "./http-lookup.ts";
import type { HttpRequest, HttpResponse, NetworkRules } from "./http-types.ts";

const MAX_HEADER_BYTES = 32 * 1024;

export interface DirectDeps {
  readonly clock: Clock;
  readonly network: NetworkRules;
  readonly resolve: Resolve;
}

/** `stale`: the reused connection was closed by the peer, and nothing of the request was sent on it, or nothing that matters. */
export type DirectOutcome = HttpResponse | "stale";

/** Resolves with the head of the answer. `agent: false` takes a connection of its own. */
export function exchangeDirect(
  deps: DirectDeps,
  request: HttpRequest,
  url: URL,
  agent: Agent | false,
): Promise<DirectOutcome> {
  checkLiteral(hostOf(url), request.addresses, deps.network);
  return new Promise((resolve, reject) => {
    new Exchange(deps, request, url, agent, { resolve, reject }).start();
  });
}

interface Settle {
  readonly resolve: (outcome: DirectOutcome) => void;
  readonly reject: (error: Error) => void;
}

class Exchange {
  private readonly deps: DirectDeps;
  private readonly asked: HttpRequest;
  private readonly host: string;
  private readonly settle: Settle;
  private readonly wire: ClientRequest;
  private connecting: Timer | undefined;
  private silence: SilenceWatch | undefined;
  private answer: IncomingMessage | undefined;
  private failure: A2aError | undefined;
  /** From here on the peer may have read something of the request. */
  private sent = false;

  constructor(deps: DirectDeps, asked: HttpRequest, url: URL, agent: Agent | false, settle: Settle) {
    this.deps = deps;
    this.asked = asked;
    this.host = url.host;
    this.settle = settle;
    this.wire = openRequest(deps, asked, url, agent);
  }

  start(): void {
    const { asked, wire } = this;
    asked.signal.addEventListener("abort", this.onAbort, { once: true });
    this.connecting = this.deps.clock.after(asked.connectTimeoutMs, () =>
      this.fail(connectTimedOut(this.host, asked.connectTimeoutMs)),
    );
    wire.on("socket", (socket) => this.onSocket(socket));
    wire.on("response", (answer) => this.onAnswer(answer));
    wire.on("error", (fault) => this.onFault(fault));
    wire.on("close", () => this.onClose());
  }

  private readonly onAbort = (): void => this.fail(abortError(this.asked.signal));

  private onSocket(socket: Socket): void {
    if (this.wire.reusedSocket) {
      this.sendOnReused(socket);
      return;
    }
    socket.once("encrypted" in socket ? "secureConnect" : "connect", () => this.markSent());
    this.wire.end(this.asked.body);
  }

  /**
   * A peer may have closed an idle connection while this process was busy elsewhere. Two turns of the event loop let that news
   * arrive before a byte is sent, so that a closed connection is told apart from a lost request.
   */
  private sendOnReused(socket: Socket): void {
    setImmediate(() =>
      setImmediate(() => {
        if (this.failure !== undefined || this.wire.destroyed) return;
        if (socket.destroyed || socket.readableEnded) {
          this.giveUpReused();
          return;
        }
        this.markSent();
        this.wire.end(this.asked.body);
      }),
    );
  }

  private markSent(): void {
    this.sent = true;
    this.connecting?.stop();
    this.asked.onSent?.();
    const { idleTimeoutMs } = this.asked;
    if (idleTimeoutMs === undefined) return;
    this.silence = watchSilence(this.deps.clock, idleTimeoutMs, () => this.fail(silentFor(this.host, idleTimeoutMs)));
  }

  private onAnswer(answer: IncomingMessage): void {
    this.answer = answer;
    this.silence?.touch();
    answer.on("error", (fault) => this.onFault(fault));
    const headers = headerMap(answer);
    const body = bodyOf(
      {
        host: this.host,
        stream: answer,
        announced: announcedLength(headers.get("content-length")),
        onBytes: () => this.silence?.touch(),
        close: () => {
          if (!answer.readableEnded) this.wire.destroy();
        },
        explain: (fault) => this.failure ?? cutShort(this.host, fault, true),
      },
      this.asked.maxBytes,
    );
    this.settle.resolve({ status: answer.statusCode ?? 0, headers, ...body });
  }

  private onFault(fault: unknown): void {
    if (this.sent && !this.mayRepeat()) this.fail(cutShort(this.host, fault, this.answer !== undefined));
    else if (this.wire.reusedSocket && this.failure === undefined) this.giveUpReused();
    else this.fail(notSent(this.host, fault));
  }

  /** Whoever closes an idle connection cannot know that a request is on its way. */
  private mayRepeat(): boolean {
    const { method, repeatable = false } = this.asked;
    return this.wire.reusedSocket && this.answer === undefined && (method === "GET" || repeatable);
  }

  private giveUpReused(): void {
    this.release();
    this.settle.resolve("stale");
    this.wire.destroy();
  }

  /** The first failure counts; what follows from it (the destroyed socket's own errors) does not. */
  private fail(error: A2aError): void {
    if (this.failure !== undefined) return;
    this.failure = error;
    this.release();
    this.settle.reject(error);
    this.wire.destroy();
  }

  private release(): void {
    this.connecting?.stop();
    this.silence?.stop();
    this.asked.signal.removeEventListener("abort", this.onAbort);
  }

  private onClose(): void {
    this.release();
    if (this.answer === undefined) {
      this.settle.reject(new A2aError("PEER_BAD_REPLY", `${this.host} ended the exchange without an answer`));
    }
  }
}

function openRequest(deps: DirectDeps, asked: HttpRequest, url: URL, agent: Agent | false): ClientRequest {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return send({
    protocol: url.protocol,
    hostname: hostOf(url),
    port: url.port,
    path: url.pathname + url.search,
    method: asked.method,
    headers: withLength(asked),
    agent,
    lookup: pinnedLookup(deps.resolve, asked.addresses, deps.network),
    maxHeaderSize: MAX_HEADER_BYTES,
    rejectUnauthorized: asked.verifySsl !== false,
  });
}

function withLength(asked: HttpRequest): Record<string, string | number> {
  const headers = { "Accept-Encoding": "identity", ...asked.headers };
  return asked.body === undefined ? headers : { ...headers, "Content-Length": Buffer.byteLength(asked.body) };
}

/** The host without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

function headerMap(answer: IncomingMessage): Map<string, string> {
  const entries = new Map<string, string>();
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined) entries.set(name, typeof value === "string" ? value : value.join(", "));
  }
  return entries;
}
