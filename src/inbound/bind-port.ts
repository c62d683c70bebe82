// Finds a port to listen on: the one that was asked for, then its successors, then whatever the operating system gives.

import type { Server } from "node:net";
import { A2aError, describeError } from "../core/platform/errors.ts";
import type { ListenOptions } from "./server-types.ts";

const LAST_PORT = 65_535;
/** Taken, or not for this user (also Windows' name for a port that another program holds). */
const NEXT_PORT_HELPS = ["EADDRINUSE", "EACCES"];

/** The address is not this machine's, or a name of nothing. */
const WRONG_HOST = ["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN", "EINVAL", "EAFNOSUPPORT"];
const WRONG_HOST_HINT = "Set a2a.server.host to 127.0.0.1, to 0.0.0.0, or to an address of this machine.";

/** Listens and gives the port. Throws PORT_UNAVAILABLE when the address itself cannot be used. */
export async function bindPort(server: Server, { host, port, portFallback }: ListenOptions): Promise<number> {
  for (const candidate of candidates(port, portFallback)) {
    const failure = await listen(server, host, candidate);
    if (failure === undefined) return portOf(server);
    if (!NEXT_PORT_HELPS.includes(failure.code ?? "") || candidate === 0) {
      throw new A2aError("PORT_UNAVAILABLE", `cannot listen on ${host}:${candidate}: ${describeError(failure)}`, {
        cause: failure,
        ...(WRONG_HOST.includes(failure.code ?? "") ? { hint: WRONG_HOST_HINT } : {}),
      });
    }
  }
  throw new A2aError("PORT_UNAVAILABLE", `no port of ${host} could be used`);
}

function candidates(port: number, fallback: number): number[] {
  if (port === 0) return [0];
  const climb = Array.from({ length: fallback + 1 }, (_, step) => port + step);
  return [...climb.filter((candidate) => candidate <= LAST_PORT), 0];
}

function listen(server: Server, host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      server.off("listening", onListening);
      resolve(error);
    };
    const onListening = (): void => {
      server.off("error", onError);
      resolve(undefined);
    };
    server.once("error", onError).once("listening", onListening);
    server.listen({ host, port, exclusive: true });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
