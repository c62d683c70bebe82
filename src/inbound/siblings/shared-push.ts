// Owns the webhooks of tasks that another session of the agent folder has: that session keeps them and delivers to them.

import type { Principal } from "../../core/ports.ts";
import { decodePushConfig, decodePushConfigPage } from "../../core/protocol/decode-push.ts";
import type { PushOperations } from "../push/push-operations.ts";
import { askOwner } from "./ask-owner.ts";
import type { SharedDeps } from "./shared-deps.ts";

export function createSharedPush(deps: SharedDeps, local: PushOperations): PushOperations {
  return {
    create: passing(deps, "CreateTaskPushNotificationConfig", local.create, decodePushConfig),
    get: passing(deps, "GetTaskPushNotificationConfig", local.get, decodePushConfig),
    list: passing(deps, "ListTaskPushNotificationConfigs", local.list, decodePushConfigPage),
    delete: passing(deps, "DeleteTaskPushNotificationConfig", local.delete, () => undefined),
    inline: local.inline,
  };
}

function passing<P extends { readonly taskId: string }, T>(
  deps: SharedDeps,
  method: string,
  operation: (caller: Principal, params: P) => Promise<T>,
  read: (result: unknown) => T,
): (caller: Principal, params: P) => Promise<T> {
  return (caller, params) =>
    askOwner(deps, caller, params.taskId, { method, params, here: () => operation(caller, params), read });
}
