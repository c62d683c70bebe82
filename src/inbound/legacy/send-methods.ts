// message/send and message/stream in both older dialects.

import { modernSendParams, withMessageId } from "../../core/protocol/decode-legacy-params.ts";
import { decodeSendMessageParams } from "../../core/protocol/decode-params.ts";
import { encodeMessage, encodeTask } from "../../core/protocol/encode.ts";
import { encodeV03SendResult } from "../../core/protocol/encode-v03-task.ts";
import type { JsonObject, LegacyDialect, SendMessageParams, SendResult } from "../../core/protocol/types.ts";
import { type CallContext, extensionListed, type Method, streamingOffered } from "../rpc-method.ts";
import { dialectOfMessage } from "./dialect.ts";
import { streamIn } from "./legacy-stream.ts";

type OldSend = SendMessageParams & { readonly dialect: LegacyDialect };

export const SEND_METHODS: Readonly<Record<string, Method>> = {
  "message/send": {
    kind: "reply",
    requires: [extensionListed],
    async run(context, params, spoken) {
      const decoded = readSend(context, params, dialectOfMessage(params, spoken));
      const { operations, caller, trace, signal } = context;
      const result = await operations.sendMessage(caller, decoded, trace, signal());
      return encodeResult(result, decoded);
    },
  },
  "message/stream": {
    kind: "stream",
    requires: [streamingOffered, extensionListed],
    errorsAsEvents: (params, spoken) => dialectOfMessage(params, spoken) === "0.3",
    async open(context, params, spoken) {
      const decoded = readSend(context, params, dialectOfMessage(params, spoken));
      const stream = await context.operations.sendStreamingMessage(context.caller, decoded, context.trace);
      return streamIn(decoded.dialect, stream, context, decoded.configuration);
    },
  },
};

function readSend({ newMessageId }: CallContext, params: unknown, dialect: LegacyDialect): OldSend {
  const complete = dialect === "pi" ? withMessageId(params, newMessageId) : params;
  return { ...decodeSendMessageParams(modernSendParams(complete)), dialect };
}

/** Bare in both: the task or the message itself. */
function encodeResult(result: SendResult, { dialect, configuration }: OldSend): JsonObject {
  if (dialect === "0.3") return encodeV03SendResult(result, configuration);
  return "task" in result ? encodeTask(result.task, configuration) : encodeMessage(result.message);
}
