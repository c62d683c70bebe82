// The JSON-RPC binding (A2A 1.0 §9): envelope, version and method name choose an operation; params and results are translated,
// and nothing else happens here.

import { A2aError } from "../core/platform/errors.ts";
import { isV03Message, modernSendParams } from "../core/protocol/decode-legacy-params.ts";
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
import { isTerminal } from "../core/protocol/task-state.ts";
import type { Json, JsonObject, SendMessageParams, SendResult, StreamResponse } from "../core/protocol/types.ts";
import { LEGACY_METHODS } from "./legacy/legacy-methods.ts";
import { createPieceEncoder } from "./piece-encoder.ts";
import {
  assertRequirements,
  type CallContext,
  encodedStream,
  extendedCardOffered,
  extensionListed,
  JsonText,
  type Method,
  pushOffered,
  type ResultStream,
  streamingOffered,
} from "./rpc-method.ts";
import { readVersion, type WireVersion } from "./version.ts";

export interface OpenStream {
  readonly stream: ResultStream;
  /** One result as the JSON-RPC reply that it travels in. */
  readonly encodeFrame: (result: JsonObject | JsonText) => string;
}

/** What a request asks for; each function gives JSON-RPC replies as JSON text, or throws before anything is sent. */
export type RpcCall =
  | { readonly kind: "notification" }
  | { readonly kind: "reply"; readonly run: (context: CallContext) => Promise<string> }
  | {
      readonly kind: "stream";
      readonly open: (context: CallContext) => Promise<OpenStream>;
      /** How the caller hears that there is no stream. */
      readonly errorsAsEvents: boolean;
    };

const METHODS: Readonly<Record<string, Method>> = {
  SendMessage: {
    kind: "reply",
    requires: [extensionListed],
    async run(context, params) {
      const { operations, caller, trace, signal } = context;
      const decoded = readSend(context, params);
      const result = await operations.sendMessage(caller, decoded, trace, signal());
      return encodeSent(context, result, decoded.configuration);
    },
  },
  SendStreamingMessage: {
    kind: "stream",
    requires: [streamingOffered, extensionListed],
    async open(context, params) {
      const { operations, caller, trace } = context;
      const decoded = readSend(context, params);
      const stream = await operations.sendStreamingMessage(caller, decoded, trace);
      return encodedStream(stream, createFrameEncoder(decoded.configuration));
    },
  },
  GetTask: {
    kind: "reply",
    async run({ operations, caller }, params) {
      const decoded = decodeGetTaskParams(params);
      const text = decoded.historyLength === undefined ? operations.taskJson(caller, decoded.id) : undefined;
      if (text !== undefined) return new JsonText(text);
      return encodeTask(await operations.getTask(caller, decoded), decoded);
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
    open: async ({ operations, caller }, params) =>
      encodedStream(await operations.subscribeToTask(caller, decodeTaskIdParams(params)), createFrameEncoder()),
  },
  ListTasks: {
    kind: "reply",
    async run({ operations, caller }, params) {
      const decoded = decodeListTasksParams(params);
      const { includeArtifacts = false } = decoded;
      return encodeTaskList(await operations.listTasks(caller, decoded), { ...decoded, artifacts: includeArtifacts });
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
      encodePushConfig(await operations.push.get(caller, decodePushConfigIdParams(params))),
  },
  ListTaskPushNotificationConfigs: {
    kind: "reply",
    requires: [pushOffered],
    run: async ({ operations, caller }, params) =>
      encodePushConfigPage(await operations.push.list(caller, decodeListPushConfigsParams(params))),
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

/**
 * Throws INVALID_REQUEST, VERSION_NOT_SUPPORTED or METHOD_NOT_FOUND; params are read when the call is made. `legacy` serves the older
 * dialects by their names.
 */
export function bindRequest(value: unknown, version: string | undefined, legacy = false): RpcCall {
  const { id, method: name, params } = decodeRpcRequest(value);
  if (id === undefined) return { kind: "notification" };
  const spoken = readVersion(version, legacy);
  const method = chooseMethod(name, spoken, legacy);
  if (method.kind === "reply") {
    return {
      kind: "reply",
      async run(context) {
        assertRequirements(method, context);
        const result = await method.run(context, params, spoken);
        return encodeRpcResult(id, textOf(result));
      },
    };
  }
  return {
    kind: "stream",
    errorsAsEvents: method.errorsAsEvents?.(params, spoken) ?? false,
    async open(context) {
      assertRequirements(method, context);
      const stream = await method.open(context, params, spoken);
      return { stream, encodeFrame: (result) => encodeRpcResult(id, textOf(result)) };
    },
  };
}

function textOf(result: Json | JsonText): string {
  return result instanceof JsonText ? result.text : JSON.stringify(result);
}

/** The version comes first: a request for a version that is not served starts nothing, whatever it names. */
function chooseMethod(name: string, spoken: WireVersion | undefined, legacy: boolean): Method {
  const older = legacy && Object.hasOwn(LEGACY_METHODS, name) ? LEGACY_METHODS[name] : undefined;
  if (older !== undefined) return older;
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (method !== undefined && spoken !== "0.3") return method;
  throw new A2aError("METHOD_NOT_FOUND", `method ${JSON.stringify(name.slice(0, 80))} ${whyNot(name, spoken, legacy)}`);
}

function whyNot(name: string, spoken: WireVersion | undefined, legacy: boolean): string {
  if (spoken === "0.3") return `is not served in A2A 0.3${legacy ? "" : "; send 1.0"}`;
  return name.includes("/") && !legacy ? "is a name of A2A 0.3; the names of A2A 1.0 are served" : "is unknown";
}

/** Params of a send. Where older dialects are served, their spellings are read under every name. */
function readSend({ legacy }: CallContext, params: unknown): SendMessageParams {
  return decodeSendMessageParams(legacy && isV03Message(params) ? modernSendParams(params) : params);
}

/** A task that has ended is text already: it was kept as that. */
function encodeSent(
  { operations, caller }: CallContext,
  result: SendResult,
  configuration: TaskOptions | undefined,
): JsonObject | JsonText {
  const whole = "task" in result && configuration?.historyLength === undefined && isTerminal(result.task.status.state);
  const text = whole ? operations.taskJson(caller, result.task.id) : undefined;
  return text === undefined ? encodeSendResult(result, configuration) : new JsonText(`{"task":${text}}`);
}

/** For one stream. The history limit of a request holds for the task that opens its stream, too. */
function createFrameEncoder(options?: TaskOptions): (frame: StreamResponse) => JsonObject | JsonText {
  const encodePiece = createPieceEncoder();
  return (frame) => {
    if ("task" in frame) return { task: encodeTask(frame.task, options) };
    const piece = "artifactUpdate" in frame ? encodePiece(frame.artifactUpdate) : undefined;
    return piece === undefined ? encodeStreamResponse(frame) : new JsonText(piece);
  };
}
