// Servers of one agent folder that listen, in one process: each with runs that the test drives, and its own rules for callers.

import { createSystemClock } from "../../src/core/platform/clock.ts";
import { createHttpPort } from "../../src/core/platform/http.ts";
import { NETWORK_RULES } from "../../src/core/security/call-rule.ts";
import { startListener } from "../../src/inbound/listener.ts";
import { createRequestHandler } from "../../src/inbound/request-handler.ts";
import type { HandlerDeps, ListenOptions } from "../../src/inbound/server-types.ts";
import { CARD_FACTS } from "./a2a-server.ts";
import { createCountIds } from "./count-ids.ts";
import type { JournalHouse, KeptServer, ServerOptions } from "./journal-rig.ts";
import { createMemoryAudit, type MemoryAudit } from "./memory-audit.ts";

export interface SiblingServer extends KeptServer {
  readonly port: number;
  readonly origin: string;
  readonly audit: MemoryAudit;
  /** What another server would have to know. */
  readonly secret: string;
  /** Stops listening; nobody hears of it. */
  unplug(): Promise<void>;
}

export interface SiblingOptions extends ServerOptions {
  readonly handler?: Partial<HandlerDeps>;
  readonly listen?: Partial<ListenOptions>;
  /** False leaves the others without its address, as while a server starts. */
  readonly announce?: boolean;
}

export async function startSibling(house: JournalHouse, options: SiblingOptions = {}): Promise<SiblingServer> {
  const server = await house.open(options);
  const { engine, siblings, journal, log } = server;
  const secret = `secret-${server.key.slice("server-".length)}`;
  const system = createSystemClock();
  const audit = createMemoryAudit();
  const http = createHttpPort({ clock: system, network: NETWORK_RULES });
  const handler = createRequestHandler({
    ...{ engine, audit, log, clock: house.clock, ids: createCountIds(), cardFacts: () => CARD_FACTS },
    siblings: { siblings, http, secrets: () => [secret], pollMs: () => 1000 },
    ...options.handler,
  });
  const listener = await startListener(
    { clock: system, log },
    { host: "127.0.0.1", port: 0, portFallback: 0, ...options.listen },
    handler,
  );
  if (options.announce ?? true) await journal.announce(listener.origin);
  const unplug = async (): Promise<void> => {
    handler.close();
    await listener.stop();
    http.close();
  };
  return {
    ...server,
    ...{ port: listener.port, origin: listener.origin, audit, secret, unplug },
    async kill() {
      await server.kill();
      await unplug();
    },
    async quit() {
      await engine.stop("the session ended");
      await unplug();
      await siblings.close();
      await journal.close();
    },
  };
}
