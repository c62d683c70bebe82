// Owns what this session says of itself to peers once somebody has named it: a header, and a note in each message. Both are names
// for people to read and prove nothing.

import type { Settings } from "../core/config/settings.ts";
import type { JsonObject } from "../core/protocol/types.ts";
import { encodeIdentity, IDENTITY_HEADER, SELF_KEY, shortName } from "../core/security/identity.ts";

/** Empty while the session has neither an identity nor a name of its own. */
export function selfHeaders({ selfIdentity, server }: Settings): Readonly<Record<string, string>> {
  const name = selfIdentity || server.agentName;
  return name === "" ? {} : { [IDENTITY_HEADER]: encodeIdentity(name) };
}

/** For the metadata of a message; empty like the header. */
export function selfMetadata({ selfIdentity, server }: Settings): JsonObject {
  const name = server.agentName || selfIdentity;
  if (name === "") return {};
  return {
    [SELF_KEY]: { name: shortName(name), ...(selfIdentity === "" ? {} : { identity: shortName(selfIdentity) }) },
  };
}
