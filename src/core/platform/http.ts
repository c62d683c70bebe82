// Owns outbound HTTP: the one way out of this package (DESIGN: Outbound). No redirects, capped bodies, checked addresses, own
// timeouts, a small pool of idle sockets. A proxy is used only where the environment names one for a public host.

import type { Agent } from "node:http";
import { isIP } from "node:net";
import type { Clock } from "./clock.ts";
import { A2aError, describeError, toA2aError } from "./errors.ts";
import { exchangeDirect, hostOf } from "./http-direct.ts";
import { abortError, notSent } from "./http-errors.ts";
import { exchangeByFetch, type Fetch } from "./http-fetch.ts";
import { admitAddresses, type Resolve, type ResolvedAddress, resolveBySystem } from "./http-lookup.ts";
import { createSocketPool } from "./http-pool.ts";
import { type ProxySettings, proxyApplies } from "./http-proxy.ts";
import { unverifiedTunnel } from "./http-tunnel.ts";
import type { HttpPort, HttpRequest, HttpResponse, NetworkRules } from "./http-types.ts";

export interface HttpDeps {
  readonly clock: Clock;
  /** Decides which addresses are called, and which go through a proxy: only public ones. */
  readonly network: NetworkRules;
  readonly proxies?: ProxySettings;
  /** Absent: the system's look-up. */
  readonly resolve?: Resolve;
  /** Absent: the global fetch, looked up at each use because hosts replace it. */
  readonly fetch?: Fetch;
}

export function createHttpPort(deps: HttpDeps): HttpPort {
  const pool = createSocketPool();
  const resolve = deps.resolve ?? resolveBySystem;
  const direct = { clock: deps.clock, network: deps.network, resolve };
  let closed = false;

  const send = async (request: HttpRequest, url: URL): Promise<HttpResponse> => {
    if (await goesThroughProxy(deps, resolve, request, url)) {
      const proxy = deps.proxies?.https;
      if (request.verifySsl === false && url.protocol === "https:" && proxy !== undefined) {
        const tunnel = unverifiedTunnel(proxy);
        return await alone(request, url, tunnel.agent).catch((error: unknown) => {
          tunnel.close();
          throw error;
        });
      }
      return exchangeByFetch({ clock: deps.clock, fetch: deps.fetch ?? globalThis.fetch }, request, url);
    }
    const agent = pool.agentFor(url.protocol, request.addresses, request.verifySsl !== false);
    const outcome = await exchangeDirect(direct, request, url, agent);
    if (outcome !== "stale") return outcome;
    return await alone(request, url, false);
  };
  /** On a connection of its own. */
  const alone = async (request: HttpRequest, url: URL, agent: Agent | false): Promise<HttpResponse> => {
    const outcome = await exchangeDirect(direct, request, url, agent);
    if (outcome === "stale") throw notSent(url.host, new Error("the connection closed at once"));
    return outcome;
  };

  return {
    async request(request) {
      if (closed) throw new A2aError("CANCELLED", "outbound HTTP is closed");
      if (request.signal.aborted) throw abortError(request.signal);
      try {
        return await send(request, webAddress(request.url));
      } catch (error) {
        // node:http throws its own errors for a header that cannot be sent.
        throw toA2aError(error, "INTERNAL", `the request cannot be sent: ${describeError(error)}`);
      }
    },
    close() {
      closed = true;
      pool.close();
    },
  };
}

function webAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new A2aError("ADDRESS_REFUSED", "only http and https addresses can be called", {
    hint: "Give the address as http://host:port or https://host.",
  });
}

/** A proxy never sees calls to loopback and private hosts, whatever the variables say. */
async function goesThroughProxy(deps: HttpDeps, resolve: Resolve, request: HttpRequest, url: URL): Promise<boolean> {
  // A proxy looks the name up again, and nobody could tell which address it called.
  if (request.addresses === "public") return false;
  if (deps.proxies === undefined || !proxyApplies(url, deps.proxies)) return false;
  const host = hostOf(url);
  const addresses = await addressesOf(resolve, host);
  if (addresses.length === 0) {
    // Behind some proxies outside names do not resolve. Then nobody here can tell where the name leads.
    if (request.addresses === "any") return true;
    throw new A2aError("ADDRESS_REFUSED", `the address of ${host} cannot be checked, as only the proxy resolves it`);
  }
  admitAddresses(host, addresses, request.addresses, deps.network);
  return addresses.every((one) => deps.network.classify(one.address) === "public");
}

function addressesOf(resolve: Resolve, host: string): Promise<readonly ResolvedAddress[]> {
  const family = isIP(host);
  if (family !== 0) return Promise.resolve([{ address: host, family }]);
  return new Promise((done) => resolve(host, (error, found) => done(error === null ? found : [])));
}
