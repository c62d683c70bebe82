// Owns the idle sockets of outbound HTTP. A socket opened under one address policy or certificate check never serves another;
// within an agent Node keeps them apart by host and port.

import { type Agent, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { AddressPolicy } from "./http-types.ts";

/**
 * Most servers drop an idle connection after 5 s, some after 2, and some after what their Keep-Alive header says, which Node's
 * agent heeds; ours go first, so that a request does not meet a closing one.
 */
const IDLE_SOCKET_MS = 1500;
const MAX_IDLE_PER_HOST = 4;
/** How long one address of a host may take before the next is tried. */
const CONNECT_ATTEMPT_MS = 1000;

export interface SocketPool {
  agentFor(protocol: string, policy: AddressPolicy, verifySsl: boolean): Agent;
  /** Destroys every socket, also those in use. */
  close(): void;
}

export function createSocketPool(): SocketPool {
  const agents = new Map<string, Agent>();
  return {
    agentFor(protocol, policy, verifySsl) {
      const key = `${protocol} ${policy} ${verifySsl}`;
      const known = agents.get(key);
      if (known !== undefined) return known;
      const made = createAgent(protocol, verifySsl);
      agents.set(key, made);
      return made;
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

function createAgent(protocol: string, verifySsl: boolean): Agent {
  // The timeout ends idle sockets only; one that serves a request may be silent for as long as its caller allows.
  const options = {
    keepAlive: true,
    maxFreeSockets: MAX_IDLE_PER_HOST,
    timeout: IDLE_SOCKET_MS,
    autoSelectFamilyAttemptTimeout: CONNECT_ATTEMPT_MS,
  };
  return protocol === "https:" ? new HttpsAgent({ ...options, rejectUnauthorized: verifySsl }) : new HttpAgent(options);
}
