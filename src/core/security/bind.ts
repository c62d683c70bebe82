// Owns which address the server may listen on: without a token this machine only, whatever is asked for.

import type { ServerSettings } from "../config/settings.ts";
import { classifyHost } from "./address.ts";

export interface Bind {
  readonly host: string;
  /** True when callers log in, so that any address may be listened on. */
  readonly wide: boolean;
  /** The host that was asked for and is not used, because nobody would be kept out. */
  readonly refusedHost?: string;
}

const LOOPBACK = "127.0.0.1";

export function bindOf({ host, sharedToken, peerTokens }: ServerSettings): Bind {
  if (sharedToken !== "" || Object.keys(peerTokens).length > 0) return { host, wide: true };
  if (classifyHost(host) === "loopback") return { host, wide: false };
  return { host: LOOPBACK, wide: false, refusedHost: host };
}
