// The settings that have no effect yet: each with the part of the package that is still to come. A value that is given for one
// is refused politely. Whoever builds the part takes its keys out; everything else about them stands in ./schema-rows.ts.

import type { SettingKey } from "./schema-rows.ts";

const RIGHTS = "rights of single callers";
const DISCOVERY = "finding the sessions of this machine and network";
const GATEWAYS = "gateways";

export const LATER: Readonly<Partial<Record<SettingKey, string>>> = {
  "peers.*.capabilities": "calling peers by what they can do",

  "server.callers": RIGHTS,
  "server.callerDefaults": RIGHTS,

  "discovery.local.enabled": DISCOVERY,
  "discovery.local.heartbeatSec": DISCOVERY,
  "discovery.local.ttlSec": DISCOVERY,
  "discovery.mdns.enabled": DISCOVERY,
  "discovery.mdns.serviceType": DISCOVERY,
  "discovery.gateway.enabled": GATEWAYS,
  "discovery.gateway.url": GATEWAYS,
  "discovery.gateway.token": GATEWAYS,
  "discovery.gateway.name": GATEWAYS,
  "discovery.gateway.upstreamToken": GATEWAYS,
  "discovery.gateway.heartbeatSec": GATEWAYS,
  "discovery.gateway.channel": GATEWAYS,
  "discovery.gateways.*.enabled": GATEWAYS,
  "discovery.gateways.*.url": GATEWAYS,
  "discovery.gateways.*.token": GATEWAYS,
  "discovery.gateways.*.name": GATEWAYS,
  "discovery.gateways.*.upstreamToken": GATEWAYS,
  "discovery.gateways.*.heartbeatSec": GATEWAYS,
  "discovery.gateways.*.channel": GATEWAYS,
};
