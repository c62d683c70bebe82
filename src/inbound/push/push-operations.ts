// The operations of A2A 1.0 §3.1.7-3.1.10 over the engine, and the check of webhooks that come with messages. Where a webhook may
// lead is decided here by its URL, without looking up its name; deliveries decide again.

import { A2aError } from "../../core/platform/errors.ts";
import type { Principal } from "../../core/ports.ts";
import { CALLER_RULES } from "../../core/protocol/decode-rules.ts";
import type {
  CreatePushConfigParams,
  ListPushConfigsParams,
  PushConfig,
  PushConfigIdParams,
  PushConfigPage,
  PushTarget,
  SendConfiguration,
} from "../../core/protocol/types.ts";
import { webhookProblem } from "../../core/security/webhook-address.ts";
import type { Engine } from "../../engine/engine-types.ts";

export interface PushOperations {
  /** Resolves when the webhook is stored; also for a task that has ended. */
  create(caller: Principal, params: CreatePushConfigParams): Promise<PushConfig>;
  get(caller: Principal, params: PushConfigIdParams): Promise<PushConfig>;
  list(caller: Principal, params: ListPushConfigsParams): Promise<PushConfigPage>;
  /** Twice is fine. */
  delete(caller: Principal, params: PushConfigIdParams): Promise<void>;
  /** The webhook that came with a message, checked. */
  inline(configuration: SendConfiguration | undefined): PushTarget | undefined;
}

export interface PushRules {
  readonly offered: boolean;
  /** Whether webhooks may be plain http and lead to addresses that are not public. */
  readonly allowInsecure: () => boolean;
}

const INLINE_PATH = "configuration.taskPushNotificationConfig.url";

export function createPushOperations(engine: Engine, { offered, allowInsecure }: PushRules): PushOperations {
  const check = (url: string, field: string): void => {
    const problem = webhookProblem(url, allowInsecure());
    if (problem !== undefined) throw CALLER_RULES.refuse(field, problem);
  };
  return {
    async create(caller, { taskId, id, url, token, authentication }) {
      // A stranger learns nothing here, not even what is wrong with the URL.
      await engine.get(caller, taskId);
      check(url, "url");
      return engine.push.set(caller, taskId, {
        url,
        ...(id === undefined ? {} : { id }),
        ...(token === undefined ? {} : { token }),
        ...(authentication === undefined ? {} : { authentication }),
      });
    },
    get: (caller, { taskId, id }) => engine.push.get(caller, taskId, id),
    async list(caller, { taskId, pageSize, pageToken }) {
      return pageOf(await engine.push.list(caller, taskId), pageSize, pageToken);
    },
    delete: (caller, { taskId, id }) => engine.push.delete(caller, taskId, id),
    inline(configuration) {
      const target = configuration?.taskPushNotificationConfig;
      if (target === undefined) return undefined;
      if (!offered) throw pushNotSupported();
      check(target.url, INLINE_PATH);
      return target;
    },
  };
}

export function pushNotSupported(): A2aError {
  return new A2aError("PUSH_NOT_SUPPORTED", "this server sends no push notifications", {
    hint: "Poll with GetTask, or subscribe with SubscribeToTask.",
  });
}

/** The token of a page is the id of its last config: configs that come and go meanwhile shift nothing. */
function pageOf(configs: readonly PushConfig[], size = configs.length, token?: string): PushConfigPage {
  const after = token === undefined ? undefined : readToken(token);
  const rest = after === undefined ? configs : configs.filter(({ id }) => id > after);
  const page = rest.slice(0, size);
  const last = page.at(-1);
  return last === undefined || page.length === rest.length
    ? { configs: page }
    : { configs: page, nextPageToken: writeToken(last.id) };
}

/** UTF-16, so that every id comes back as it was, halves of characters included. */
function writeToken(id: string): string {
  return Buffer.from(id, "utf16le").toString("base64url");
}

function readToken(token: string): string {
  const id = Buffer.from(token, "base64url").toString("utf16le");
  if (writeToken(id) === token) return id;
  throw CALLER_RULES.refuse("pageToken", "is no token of this list");
}
