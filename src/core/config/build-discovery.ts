// Owns the discovery part of the settings.

import type { MergedSettings } from "./layer.ts";
import { booleanOf, numberOf, optionalBoolean, stringOf } from "./setting-values.ts";
import type { DiscoverySettings, GatewaySettings } from "./settings.ts";

export function buildDiscovery(merged: MergedSettings): DiscoverySettings {
  const gateway = singleGateway(merged);
  const says = gateway.url !== "" || gateway.token !== "";
  return {
    local: {
      enabled: booleanOf(merged, "discovery.local.enabled"),
      heartbeatSec: numberOf(merged, "discovery.local.heartbeatSec"),
      ttlSec: numberOf(merged, "discovery.local.ttlSec"),
    },
    mdns: {
      enabled: booleanOf(merged, "discovery.mdns.enabled"),
      serviceType: stringOf(merged, "discovery.mdns.serviceType"),
    },
    enrichCard: booleanOf(merged, "discovery.enrichCard"),
    ...(says ? { gateway } : {}),
    gateways: namedGateways(merged),
  };
}

function singleGateway(merged: MergedSettings): GatewaySettings {
  const url = stringOf(merged, "discovery.gateway.url");
  const token = stringOf(merged, "discovery.gateway.token");
  return {
    enabled: optionalBoolean(merged, "discovery.gateway.enabled") ?? isComplete(url, token),
    url,
    token,
    name: stringOf(merged, "discovery.gateway.name"),
    upstreamToken: stringOf(merged, "discovery.gateway.upstreamToken"),
    heartbeatSec: numberOf(merged, "discovery.gateway.heartbeatSec"),
    channel: booleanOf(merged, "discovery.gateway.channel"),
  };
}

function namedGateways(merged: MergedSettings): DiscoverySettings["gateways"] {
  const gateways: Record<string, GatewaySettings> = Object.create(null);
  for (const name of merged.names("discovery.gateways")) gateways[name] = namedGateway(merged, name);
  return gateways;
}

function namedGateway(merged: MergedSettings, name: string): GatewaySettings {
  const url = stringOf(merged, "discovery.gateways.*.url", name);
  const token = stringOf(merged, "discovery.gateways.*.token", name);
  return {
    enabled: optionalBoolean(merged, "discovery.gateways.*.enabled", name) ?? isComplete(url, token),
    url,
    token,
    name: stringOf(merged, "discovery.gateways.*.name", name),
    upstreamToken: stringOf(merged, "discovery.gateways.*.upstreamToken", name),
    heartbeatSec: numberOf(merged, "discovery.gateways.*.heartbeatSec", name),
    channel: booleanOf(merged, "discovery.gateways.*.channel", name),
  };
}

function isComplete(url: string, token: string): boolean {
  return url !== "" && token !== "";
}
