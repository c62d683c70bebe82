// Owns the way through a proxy of the environment that fetch cannot take: TLS whose certificate is not checked. A tunnel (CONNECT)
// for one exchange; the proxy sees host and port, and nothing of the exchange.

import { type ClientRequest, request as httpRequest, type OutgoingHttpHeaders } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";

type Opened = (fault: Error | null, stream?: Duplex) => void;

interface Target {
  readonly host?: string | null;
  readonly port?: number | string | null;
  readonly servername?: string;
}

export interface Tunnel {
  /** Its one connection leads through the proxy and takes any certificate of the host behind it. */
  readonly agent: Agent;
  /** Gives up what is not open yet. */
  close(): void;
}

export function unverifiedTunnel(proxy: string): Tunnel {
  const agent = new Agent({ keepAlive: false });
  let asking: ClientRequest | undefined;
  const createConnection = (target: Target, done: Opened): undefined => {
    asking = openTunnel(proxy, target, (fault, stream) => {
      if (stream === undefined) return done(fault);
      const { host, servername } = target;
      const name = servername || host || "";
      done(
        null,
        connectTls({ socket: stream, rejectUnauthorized: false, ...(name === "" ? {} : { servername: name }) }),
      );
    });
    return undefined;
  };
  return {
    agent: Object.assign(agent, { createConnection }),
    close() {
      asking?.destroy();
      agent.destroy();
    },
  };
}

function openTunnel(proxy: string, { host, port }: Target, done: Opened): ClientRequest | undefined {
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    done(new Error("the proxy of the environment is no http or https URL"));
    return undefined;
  }
  const authority = `${host?.includes(":") === true ? `[${host}]` : host}:${port}`;
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const asking = send({
    hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port,
    method: "CONNECT",
    path: authority,
    headers: { Host: authority, ...proxyLogin(url) },
    agent: false,
  });
  asking.on("connect", (answer, stream) => {
    if (answer.statusCode === 200) return done(null, stream);
    stream.destroy();
    return done(new Error(`the proxy answered ${answer.statusCode} to CONNECT`));
  });
  asking.on("response", (answer) => {
    answer.destroy();
    done(new Error(`the proxy answered ${answer.statusCode} to CONNECT`));
  });
  asking.on("error", done);
  asking.end();
  return asking;
}

function proxyLogin({ username, password }: URL): OutgoingHttpHeaders {
  if (username === "" && password === "") return {};
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "Proxy-Authorization": `Basic ${Buffer.from(login, "utf8").toString("base64")}` };
}
