// The listening socket and everything that is connected to it: limits of connections and heads, a handler that can be
// replaced while requests arrive, and an end that leaves no socket behind. Never keeps the process alive.

import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../core/platform/clock.ts";
import { A2aError } from "../core/platform/errors.ts";
import type { Log } from "../core/platform/log.ts";
import { classifyHost } from "../core/security/address.ts";
import { bindPort } from "./bind-port.ts";
import { answerBrokenRequest, answerTunnel } from "./broken-request.ts";
import { createPipelines } from "./pipelines.ts";
import type { Listener, ListenOptions, RequestHandler } from "./server-types.ts";

export interface ListenerDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Replaces single limits, for tests. */
  readonly limits?: Partial<ListenerLimits>;
}

export interface ListenerLimits {
  readonly maxConnections: number;
  readonly maxHeaderBytes: number;
  /** For a request's head. */
  readonly headersMs: number;
  /** For a whole request, body included: behind the body's own limits, which answer better. */
  readonly requestMs: number;
  /** How often the two limits above are checked. */
  readonly checkMs: number;
  /** Without a byte in either direction while a reply is open, or without progress of a reader that stalls. */
  readonly stallMs: number;
}

const LIMITS: ListenerLimits = {
  maxConnections: 256,
  maxHeaderBytes: 16 * 1024,
  headersMs: 10_000,
  checkMs: 1000,
  requestMs: 75_000,
  stallMs: 90_000,
};
/** For readers of last events; then sockets are cut. */
const STOP_GRACE_MS = 500;

/** Throws CONFIG_INVALID for a host that is not loopback unless callers log in, PORT_UNAVAILABLE when nothing can be bound. */
export async function startListener(
  deps: ListenerDeps,
  options: ListenOptions,
  handler: RequestHandler,
): Promise<Listener> {
  const host = options.host.replace(/^\[(.*)\]$/, "$1");
  if (options.wide !== true && classifyHost(host) !== "loopback") {
    throw new A2aError(
      "CONFIG_INVALID",
      `cannot listen on ${host}: without a token only loopback addresses are served`,
      {
        hint: "Set a2a.server.peerTokens or a2a.server.sharedToken, or a2a.server.host to 127.0.0.1.",
      },
    );
  }
  const server = createLimitedServer({ ...LIMITS, ...deps.limits });
  const current = { handler };
  const sockets = trackSockets(server);
  routeRequests(server, current, deps.clock);
  const port = await bindPort(server, { ...options, host });
  server.unref();
  // A listening socket can fail later, for example when the process is out of file descriptors; it stays open then.
  server.on("error", (error) => deps.log.fault("A2A listener", error));

  let stopped: Promise<void> | undefined;
  return {
    host,
    port,
    origin: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    busyPort: options.port === 0 || options.port === port ? undefined : options.port,
    connections: () => sockets.size,
    replaceHandler(next) {
      current.handler = next;
    },
    stop() {
      stopped ??= closeServer(server, sockets, current.handler, deps.clock);
      return stopped;
    },
  };
}

function createLimitedServer(limits: ListenerLimits): Server {
  const server = createServer({
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
    // Our own guard answers a missing Host.
    requireHostHeader: false,
  });
  server.maxConnections = limits.maxConnections;
  server.timeout = limits.stallMs;
  return server;
}

function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.unref();
    // Each request of a connection listens for its end; a client that pipelines many is no leak to warn about.
    socket.setMaxListeners(0);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

function routeRequests(server: Server, current: { readonly handler: RequestHandler }, clock: Clock): void {
  const pipelines = createPipelines(clock, (request, response) => current.handler.handle(request, response));
  server.on("request", pipelines.take);
  // The handler says itself when a body may come.
  server.on("checkContinue", pipelines.take);
  // RFC 9110 §10.1.1: an expectation that is not known may be passed over.
  server.on("checkExpectation", pipelines.take);
  server.on("connect", (_request, socket) => answerTunnel(socket));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
    answerBrokenRequest(socket, error.code, pipelines.replying(socket)),
  );
}

/** Last events and replies get a moment to leave; a reader that stalls does not hold the port. */
async function closeServer(
  server: Server,
  sockets: ReadonlySet<Socket>,
  handler: RequestHandler,
  clock: Clock,
): Promise<void> {
  const cut = clock.after(STOP_GRACE_MS, () => {
    for (const socket of sockets) socket.destroy();
  });
  const closing = [server, ...sockets].map((emitter) => new Promise((resolve) => emitter.once("close", resolve)));
  server.close();
  // Waiting for requests keeps no process alive, but waiting for the end of stop() must.
  for (const socket of sockets) socket.ref();
  handler.close();
  // After the handler's last replies, which it writes on the next turn.
  clock.defer(() => {
    for (const socket of sockets) socket.destroySoon();
  });
  await Promise.all(closing);
  cut.stop();
}
