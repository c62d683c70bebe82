// Owns the webhooks of tasks that another session of the agent folder has: that session keeps them and delivers to them.

import { decodePushConfig, decodePushConfigPage } from "../../core/protocol/decode-push.ts";
import type { PushOperations } from "../push/push-operations.ts";
import { askOwner } from "./ask-owner.ts";
import type { SharedDeps } from "./shared-deps.ts";

export function createSharedPush(deps: SharedDeps, local: PushOperations): PushOperations {
  return {
    create: (caller, params) =>
      askOwner(deps, caller, params.taskId, {
        method: "CreateTaskPushNotificationConfig",
        params,
        here: () => local.create(caller, params),
        read: decodePushConfig,
      }),
    get: (caller, params) =>
      askOwner(deps, caller, params.taskId, {
        method: "GetTaskPushNotificationConfig",
        params,
        here: () => local.get(caller, params),
        read: decodePushConfig,
      }),
    list: (caller, params) =>
      askOwner(deps, caller, params.taskId, {
        method: "ListTaskPushNotificationConfigs",
        params,
        here: () => local.list(caller, params),
        read: decodePushConfigPage,
      }),
    delete: (caller, params) =>
      askOwner(deps, caller, params.taskId, {
        method: "DeleteTaskPushNotificationConfig",
        params,
        here: () => local.delete(caller, params),
        read: () => undefined,
      }),
    inline: local.inline,
  };
}
