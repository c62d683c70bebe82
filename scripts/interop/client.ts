// Our client as it is out of the box: default settings, the real clock and sockets.

import { buildSettings } from "../../src/core/config/build-settings.ts";
import { mergeLayers } from "../../src/core/config/layer.ts";
import { createSystemClock } from "../../src/core/platform/clock.ts";
import { createHttpPort } from "../../src/core/platform/http.ts";
import { createRandomIds } from "../../src/core/platform/ids.ts";
import { createLog } from "../../src/core/platform/log.ts";
import { NETWORK_RULES } from "../../src/core/security/call-rule.ts";
import { createA2aClient } from "../../src/outbound/client.ts";
import type { A2aClient } from "../../src/outbound/client-types.ts";

export function createClient(): { readonly client: A2aClient; close(): Promise<void> } {
  const clock = createSystemClock();
  const ids = createRandomIds();
  const http = createHttpPort({ clock, network: NETWORK_RULES });
  const { settings } = buildSettings(mergeLayers([]));
  const log = createLog(clock, ids.token);
  const client = createA2aClient({ http, clock, ids, log, settings: () => settings, sessionId: "interop" });
  return {
    client,
    async close() {
      await client.close();
      http.close();
    },
  };
}
