// The JSON-RPC binding (A2A 1.0 §9): envelope, version and method name choose an operation; params and results are translated,
// and nothing else happens here.

import { A2aError } from "../core/platform/errors.ts";
import type { Principal } from "../core/ports.ts";
import { decodeListTasksParams } from "../core/protocol/decode-list-params.ts";
import {
  decodeCancelTaskParams,
  decodeGetTaskParams,
  decodeSendMessageParams,
  decodeTaskIdParams,
  decodeTenantParams,
} from "../core/protocol/decode-params.ts";
import {
  decodeCreatePushConfigParams,
  decodeListPushConfigsParams,
  decodePushConfigIdParams,
} from "../core/protocol/decode-push.ts";
import {
  encodeCard,
  encodeSendResult,
  encodeStreamResponse,
  encodeTask,
  encodeTaskList,
  type TaskOptions,
} from "../core/protocol/encode.ts";
import { encodePushConfig, encodePushConfigPage } from "../core/protocol/encode-push.ts";
import { decodeRpcRequest, encodeRpcResult } from "../core/protocol/jsonrpc.ts";
import type { AgentCard, JsonObject, StreamResponse } from "../core/protocol/types.ts";
import { assertRequiredExtension } from "./extensions.ts";
import type { Operations } from "./operations.ts";
import { pushNotSupported } from "./push/push-operations.ts";
import type { Features } from "./server-types.ts";
import type { TaskStream } from "./task-stream.ts";
import { readVersion } from "./version.ts";

export interface CallContext {
  readonly operations: Operations;
  readonly features: Features;
  readonly caller: Principal;
  /** The uris of the extensions that the caller listed. */
  readonly extensions: readonly string[];
  readonly extendedCard: () => AgentCard;
  /** Aborts when the caller no longer waits. */
  readonly signal: () => AbortSignal;
}

export interface OpenStream {
  readonly stream: TaskStream;
  /** One frame as the JSON-RPC reply that it travels in. */
  readonly encodeFrame: (frame: StreamResponse) => string;
}

/** What a request asks for; each function gives JSON-RPC replies as JSON text, or throws before anything is sent. */
export type RpcCall =
  | { readonly kind: "notification" }
  | { readonly kind: "reply"; readonly run: (context: CallContext) => Promise<string> }
  | { readonly kind: "stream"; readonly open: (context: CallContext) => Promise<OpenStream> };

type Method = {
  /** What must hold before the params are read; each throws when it does not. */
  readonly requires?: readonly ((context: CallContext) => void)[];
} & (
  | { readonly kind: "reply"; readonly run: (context: CallContext, params: unknown) => Promise<JsonObject> }
  | { readonly kind: "stream"; readonly open: (context: CallContext, params: unknown) => Promise<OpenedTask> }
);

interface OpenedTask {
  readonly stream: TaskStream;
  readonly encode: (frame: StreamResponse) => JsonObject;
}

const METHODS: Readonly<Record<string, Method>> = {
  SendMessage: {
    kind: "reply",
    requires: [extensionListed],
    async run({ operations, caller, signal }, params) {
      const decoded = decodeSendMessageParams(params);
      return encodeSendResult(await operations.sendMessage(caller, decoded, signal()), decoded.configuration);
    },
  },
  SendStreamingMessage: {
    kind: "stream",
    requires: [streamingOffered, extensionListed],
    async open({ operations, caller }, params) {
      const decoded = decodeSendMessageParams(params);
      return {
        stream: await operations.sendStreamingMessage(caller, decoded),
        encode: (frame) => encodeFrame(frame, decoded.configuration),
      };
    },
  },
  GetTask: {
    kind: "reply",
    async run({ operations, caller }, params) {
      const decoded = decodeGetTaskParams(params);
      return encodeTask(operations.getTask(caller, decoded), decoded);
    },
  },
  CancelTask: {
    kind: "reply",
    run: async ({ operations, caller }, params) =>
      encodeTask(await operations.cancelTask(caller, decodeCancelTaskParams(params))),
  },
  SubscribeToTask: {
    kind: "stream",
    requires: [streamingOffered],
    open: async ({ operations, caller }, params) => ({
      stream: operations.subscribeToTask(caller, decodeTaskIdParams(params)),
      encode: encodeFrame,
    }),
  },
  ListTasks: {
    kind: "reply",
    async run({ operations, caller }, params) {
      const decoded = decodeListTasksParams(params);
      const { includeArtifacts = false } = decoded;
      return encodeTaskList(operations.listTasks(caller, decoded), { ...decoded, artifacts: includeArtifacts });
    },
  },
  GetExtendedAgentCard: {
    kind: "reply",
    requires: [extendedCardOffered],
    async run({ extendedCard }, params) {
      decodeTenantParams(params);
      return encodeCard(extendedCard());
    },
  },
  CreateTaskPushNotificationConfig: {
    kind: "reply",
    requires: [pushOffered],
    run: async ({ operations, caller }, params) =>
      encodePushConfig(await operations.push.create(caller, decodeCreatePushConfigParams(params))),
  },
  GetTaskPushNotificationConfig: {
    kind: "reply",
    requires: [pushOffered],
    run: async ({ operations, caller }, params) =>
      encodePushConfig(operations.push.get(caller, decodePushConfigIdParams(params))),
  },
  ListTaskPushNotificationConfigs: {
    kind: "reply",
    requires: [pushOffered],
    run: async ({ operations, caller }, params) =>
      encodePushConfigPage(operations.push.list(caller, decodeListPushConfigsParams(params))),
  },
  DeleteTaskPushNotificationConfig: {
    kind: "reply",
    requires: [pushOffered],
    async run({ operations, caller }, params) {
      await operations.push.delete(caller, decodePushConfigIdParams(params));
      return {};
    },
  },
};

/** Throws INVALID_REQUEST, VERSION_NOT_SUPPORTED or METHOD_NOT_FOUND; params are read when the call is made. */
export function bindRequest(value: unknown, version: string | undefined): RpcCall {
  const { id, method: name, params } = decodeRpcRequest(value);
  if (id === undefined) return { kind: "notification" };
  const method = chooseMethod(name, version);
  if (method.kind === "reply") {
    return {
      kind: "reply",
      async run(context) {
        assertRequirements(method, context);
        return encodeRpcResult(id, JSON.stringify(await method.run(context, params)));
      },
    };
  }
  return {
    kind: "stream",
    async open(context) {
      assertRequirements(method, context);
      const { stream, encode } = await method.open(context, params);
      return { stream, encodeFrame: (frame) => encodeRpcResult(id, JSON.stringify(encode(frame))) };
    },
  };
}

/** The version comes first: a request for a version that is not served starts nothing, whatever it names. */
function chooseMethod(name: string, version: string | undefined): Method {
  const spoken = readVersion(version);
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (method !== undefined && spoken !== "0.3") return method;
  const shown = JSON.stringify(name.slice(0, 80));
  if (spoken === "0.3") throw new A2aError("METHOD_NOT_FOUND", `method ${shown} is not served in A2A 0.3; send 1.0`);
  if (name.includes("/")) {
    throw new A2aError("METHOD_NOT_FOUND", `method ${shown} is a name of A2A 0.3; the names of A2A 1.0 are served`);
  }
  throw new A2aError("METHOD_NOT_FOUND", `method ${shown} is unknown`);
}

function assertRequirements({ requires = [] }: Method, context: CallContext): void {
  for (const assert of requires) assert(context);
}

function extensionListed({ extensions, features }: CallContext): void {
  assertRequiredExtension(extensions, features);
}

function streamingOffered({ features }: CallContext): void {
  if (features.streaming ?? true) return;
  throw new A2aError("UNSUPPORTED_OPERATION", "this server does not stream", {
    hint: "Use SendMessage, and poll with GetTask.",
  });
}

function pushOffered({ features }: CallContext): void {
  if (!(features.push ?? true)) throw pushNotSupported();
}

function extendedCardOffered({ features }: CallContext): void {
  if (features.extendedCard === true) return;
  throw new A2aError("UNSUPPORTED_OPERATION", "this server has no extended agent card", {
    hint: "Use the public card.",
  });
}

/** The history limit of a request holds for the task that opens its stream, too. */
function encodeFrame(frame: StreamResponse, options?: TaskOptions): JsonObject {
  return "task" in frame ? { task: encodeTask(frame.task, options) } : encodeStreamResponse(frame);
}
