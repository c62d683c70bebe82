// Owns writing webhooks as ProtoJSON (A2A 1.0 §4.3): everything but the credentials, which are never given back to anybody.

import { type JsonObject, omitUndefined } from "../platform/json.ts";
import type { PushConfig, PushConfigPage } from "./types.ts";

export function encodePushConfig({ taskId, id, url, token, authentication }: PushConfig): JsonObject {
  const shown = authentication === undefined ? undefined : { scheme: authentication.scheme };
  return omitUndefined({ taskId, id, url, token, authentication: shown });
}

export function encodePushConfigPage({ configs, nextPageToken }: PushConfigPage): JsonObject {
  return omitUndefined({ configs: configs.map(encodePushConfig), nextPageToken });
}
