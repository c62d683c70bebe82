// The methods for webhooks by their slash names, in both older dialects: params and results of 0.3 are nested, those of older pi-a2a
// sessions as flat as in 1.0.

import { A2aError } from "../../core/platform/errors.ts";
import { isObject } from "../../core/platform/json.ts";
import { modernPushIdParams, modernPushParams } from "../../core/protocol/decode-legacy-params.ts";
import {
  decodeCreatePushConfigParams,
  decodeListPushConfigsParams,
  decodePushConfigIdParams,
} from "../../core/protocol/decode-push.ts";
import { encodePushConfig, encodePushConfigPage } from "../../core/protocol/encode-push.ts";
import { encodeV03PushConfig } from "../../core/protocol/encode-v03-task.ts";
import type { JsonObject, LegacyDialect, PushConfig } from "../../core/protocol/types.ts";
import { type CallContext, type Method, pushOffered } from "../rpc-method.ts";
import type { WireVersion } from "../version.ts";
import { dialectOfTask } from "./dialect.ts";

export const PUSH_METHODS: Readonly<Record<string, Method>> = {
  "tasks/pushNotificationConfig/set": create("0.3"),
  "tasks/pushNotificationConfig/create": create("pi"),
  "tasks/pushNotificationConfig/get": {
    kind: "reply",
    requires: [pushOffered],
    async run(context, params, spoken) {
      const config = await findConfig(context, modernPushIdParams(params));
      return encodeConfig(config, await dialectOf(context, config.taskId, spoken));
    },
  },
  "tasks/pushNotificationConfig/list": {
    kind: "reply",
    requires: [pushOffered],
    async run(context, params, spoken) {
      const decoded = decodeListPushConfigsParams(modernPushIdParams(params));
      const page = await context.operations.push.list(context.caller, decoded);
      const dialect = await dialectOf(context, decoded.taskId, spoken);
      return dialect === "0.3" ? page.configs.map(encodeV03PushConfig) : encodePushConfigPage(page);
    },
  },
  "tasks/pushNotificationConfig/delete": {
    kind: "reply",
    requires: [pushOffered],
    async run(context, params, spoken) {
      const decoded = decodePushConfigIdParams(modernPushIdParams(params));
      await context.operations.push.delete(context.caller, decoded);
      return (await dialectOf(context, decoded.taskId, spoken)) === "0.3" ? null : {};
    },
  },
};

function create(named: LegacyDialect): Method {
  return {
    kind: "reply",
    requires: [pushOffered],
    async run(context, params, spoken) {
      const decoded = decodeCreatePushConfigParams(modernPushParams(params));
      const config = await context.operations.push.create(context.caller, decoded);
      return encodeConfig(config, await dialectOf(context, config.taskId, spoken, named));
    },
  };
}

/** Callers of 0.3 may ask for the webhook of a task without naming it: the first one is meant. */
async function findConfig({ operations, caller }: CallContext, params: unknown): Promise<PushConfig> {
  if (isObject(params) && params.id !== undefined) {
    return await operations.push.get(caller, decodePushConfigIdParams(params));
  }
  const decoded = decodeListPushConfigsParams(params);
  const { configs } = await operations.push.list(caller, decoded);
  const [first] = configs;
  if (first !== undefined) return first;
  throw new A2aError("TASK_NOT_FOUND", `task ${decoded.taskId} has no push config`);
}

async function dialectOf(
  { operations, caller }: CallContext,
  id: string,
  spoken: WireVersion | undefined,
  named?: LegacyDialect,
): Promise<LegacyDialect> {
  return spoken === "0.3" ? spoken : dialectOfTask(await operations.getTask(caller, { id }), spoken, named);
}

function encodeConfig(config: PushConfig, dialect: LegacyDialect): JsonObject {
  return dialect === "0.3" ? encodeV03PushConfig(config) : encodePushConfig(config);
}
