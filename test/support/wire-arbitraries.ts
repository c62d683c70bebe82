// Random values of the data model, random JSON that looks like it, and ways to change the spelling of a wire object without
// changing what it says.

import fc from "fast-check";
import type {
  AgentCard,
  Artifact,
  Json,
  JsonObject,
  Message,
  Part,
  PushTarget,
  SendMessageParams,
  StreamResponse,
  Task,
  TaskState,
  TaskStatus,
} from "../../src/core/protocol/types.ts";

const STATES: readonly TaskState[] = [
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
];

const id = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" });
const word = fc.string({ minLength: 1, maxLength: 8 });
const headerWord = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,8}$/);
const headerText = fc.stringMatching(/^[!-~]([ -~]{0,8}[!-~])?$/);
const key = word.filter((text) => text !== "__proto__");

/** JSON as it comes back from JSON.parse, without `__proto__` keys. */
const cleanJson: fc.Arbitrary<Json> = fc
  .jsonValue({ maxDepth: 3 })
  .filter((value) => !JSON.stringify(value).includes("__proto__"))
  .map((value): Json => JSON.parse(JSON.stringify(value)));

const jsonObject: fc.Arbitrary<JsonObject> = fc
  .dictionary(key, cleanJson, { minKeys: 1, maxKeys: 3 })
  .map((value): JsonObject => JSON.parse(JSON.stringify(value)));

/** Every member there; plain objects, as JSON.parse makes them. */
function record<T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record<T>(model, { noNullPrototype: true });
}

/** Every member there or not. */
function optional<T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> {
  return fc.record(model, { requiredKeys: [], noNullPrototype: true }).map((value) => value as Partial<T>);
}

const partBase = optional({ mediaType: word, filename: word, metadata: jsonObject });
const raw = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString("base64"));

const part: fc.Arbitrary<Part> = fc
  .tuple(
    partBase,
    fc.oneof(
      record({ text: fc.string({ unit: "binary" }) }),
      record({ raw }),
      record({ url: fc.webUrl() }),
      record({ data: cleanJson }),
    ),
  )
  .map(([base, content]) => ({ ...base, ...content }) as Part);

const parts = fc.array(part, { minLength: 1, maxLength: 4 });
const list = fc.array(word, { minLength: 1, maxLength: 3 });

export const message: fc.Arbitrary<Message> = fc
  .tuple(
    record({ messageId: id, role: fc.constantFrom("ROLE_USER", "ROLE_AGENT"), parts }),
    optional({ contextId: id, taskId: id, metadata: jsonObject, extensions: list, referenceTaskIds: list }),
  )
  .map(([required, rest]) => ({ ...required, ...rest }));

export const artifact: fc.Arbitrary<Artifact> = fc
  .tuple(
    record({ artifactId: id, parts }),
    optional({ name: word, description: word, metadata: jsonObject, extensions: list }),
  )
  .map(([required, rest]) => ({ ...required, ...rest }));

const timestamp = fc
  .date({ min: new Date("2000-01-01T00:00:00Z"), max: new Date("2100-01-01T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString());

const status: fc.Arbitrary<TaskStatus> = fc
  .tuple(record({ state: fc.constantFrom(...STATES) }), optional({ timestamp, message }))
  .map(([required, rest]) => ({ ...required, ...rest }));

export const task: fc.Arbitrary<Task> = fc
  .tuple(
    record({ id, contextId: id, status }),
    optional({
      artifacts: fc.array(artifact, { minLength: 1, maxLength: 3 }),
      history: fc.array(message, { minLength: 1, maxLength: 3 }),
      metadata: jsonObject,
    }),
  )
  .map(([required, rest]) => ({ ...required, ...rest }));

const ids = { taskId: id, contextId: id };

export const streamResponse: fc.Arbitrary<StreamResponse> = fc.oneof(
  record({ task }),
  record({ message }),
  fc
    .tuple(record({ ...ids, status }), optional({ metadata: jsonObject }))
    .map(([required, rest]) => ({ statusUpdate: { ...required, ...rest } })),
  fc
    .tuple(
      record({ ...ids, artifact, append: fc.boolean(), lastChunk: fc.boolean() }),
      optional({ metadata: jsonObject }),
    )
    .map(([required, rest]) => ({ artifactUpdate: { ...required, ...rest } })),
);

const speakingMessage = fc
  .tuple(message, fc.string({ minLength: 1 }))
  .map(([base, text]): Message => ({ ...base, role: "ROLE_USER", parts: [...base.parts, { text: `say ${text}` }] }));

const pushTarget: fc.Arbitrary<PushTarget> = fc
  .tuple(
    record({ url: fc.webUrl() }),
    optional({ id, token: headerText, authentication: record({ scheme: headerWord, credentials: headerText }) }),
  )
  .map(([required, rest]) => ({ ...required, ...rest }));

export const sendMessageParams: fc.Arbitrary<SendMessageParams> = fc
  .tuple(
    record({ message: speakingMessage }),
    optional({
      configuration: optional({
        acceptedOutputModes: list,
        historyLength: fc.nat(),
        returnImmediately: fc.boolean(),
        taskPushNotificationConfig: pushTarget,
      }),
      metadata: jsonObject,
      tenant: word,
    }),
  )
  .map(([required, rest]) => ({ ...required, ...rest }));

export const card: fc.Arbitrary<AgentCard> = fc
  .tuple(
    record({
      name: word,
      description: fc.string(),
      version: fc.string(),
      supportedInterfaces: fc.uniqueArray(
        record({
          url: fc.webUrl(),
          protocolBinding: fc.constantFrom("JSONRPC", "GRPC", "HTTP+JSON"),
          protocolVersion: fc.constantFrom("1.0", "0.3"),
        }),
        { maxLength: 3, selector: (entry) => JSON.stringify(entry) },
      ),
      capabilities: optional({
        streaming: fc.boolean(),
        pushNotifications: fc.boolean(),
        extendedAgentCard: fc.boolean(),
        extensions: fc.array(record({ uri: fc.webUrl(), description: word, params: jsonObject }), {
          minLength: 1,
          maxLength: 2,
        }),
      }),
      defaultInputModes: fc.array(word, { minLength: 1, maxLength: 2 }),
      defaultOutputModes: fc.array(word, { minLength: 1, maxLength: 2 }),
      skills: fc.array(
        record({ id: word, name: word, description: fc.string(), tags: fc.array(word, { minLength: 1 }) }),
        { maxLength: 3 },
      ),
    }),
    optional({
      provider: record({ organization: word, url: fc.webUrl() }),
      documentationUrl: fc.webUrl(),
      securitySchemes: jsonObject,
      securityRequirements: fc.array(jsonObject, { minLength: 1, maxLength: 2 }),
    }),
  )
  .map(([required, rest]) => ({ ...required, ...rest }));

const NAMES = [
  ..."task message statusUpdate artifactUpdate status state artifact artifacts history parts text raw url data".split(
    " ",
  ),
  ..."id taskId contextId messageId artifactId role kind file bytes uri metadata configuration historyLength".split(
    " ",
  ),
  ..."append lastChunk timestamp extensions name skills tags capabilities supportedInterfaces security".split(" "),
  ..."additionalInterfaces preferredTransport protocolVersion securityRequirements provider __proto__ jsonrpc".split(
    " ",
  ),
  ..."error code result method params task_id context_id message_id returnImmediately authentication".split(" "),
];

/** JSON whose field names, and some values, are those that the decoders look for, in places where nobody expects them. */
export const likelyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, "", "x", 0, 1, -1, 1.5, "2.0", "1.0", "ROLE_USER", "ROLE_AGENT", "user"),
    fc.constantFrom<unknown>(
      "TASK_STATE_WORKING",
      "completed",
      "task",
      "message",
      "status-update",
      "QQ==",
      "http://a/",
    ),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie("value"), { maxKeys: 5, noNullPrototype: true }),
  ),
})).value;

/** Members whose content is the sender's own, where every key counts. */
const FREE_FORM = new Set(["metadata", "data", "params", "securitySchemes", "securityRequirements"]);

/** The same wire object with more fields in every object of the protocol. */
export function withUnknownFields(value: Json): Json {
  return mapMembers(value, (name, member) => [[name, member]], { futureField: { a: [1] }, kind2: "x" });
}

/** The same wire object with every field of the protocol in snake_case. */
export function inSnakeCase(value: Json): Json {
  return mapMembers(value, (name, member) => [
    [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), member],
  ]);
}

function mapMembers(
  value: Json,
  rename: (name: string, member: Json) => [string, Json][],
  more: JsonObject = {},
): Json {
  if (Array.isArray(value)) return value.map((item: Json) => mapMembers(item, rename, more));
  if (typeof value !== "object" || value === null) return value;
  const pairs = Object.entries(value).flatMap(([name, member]: [string, Json]) =>
    rename(name, FREE_FORM.has(name) ? member : mapMembers(member, rename, more)),
  );
  return { ...Object.fromEntries(pairs), ...more };
}

/** Freezes a value and all it holds, so that code which changes its input throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value) && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
