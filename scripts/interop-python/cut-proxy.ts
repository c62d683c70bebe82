// A proxy in front of an agent on this machine that can break every open connection, as a network does.

import { connect, createServer, type Socket } from "node:net";

export interface CutProxy {
  readonly origin: string;
  /** Where connections lead from now on. */
  leadTo(origin: string): void;
  /** Resets every open connection; later ones work. */
  cut(): void;
  stop(): Promise<void>;
}

export async function startCutProxy(): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let port = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    const far = keep(connect(port, "127.0.0.1"));
    keep(near).pipe(far).pipe(near);
    near.on("error", () => far.destroy());
    far.on("error", () => near.destroy());
    near.once("close", () => far.destroy());
    far.once("close", () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    origin: `http://127.0.0.1:${address.port}`,
    leadTo(origin) {
      port = Number(new URL(origin).port);
    },
    cut,
    stop() {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
