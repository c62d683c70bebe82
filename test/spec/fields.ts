// Every field of the params of every method, as a caller may fill it: the bad inputs are made from this table, so a new method or
// field only adds rows. Limits are written out here, not taken from the sources that they check.

export type Kind =
  | { readonly type: "text"; readonly max?: number; readonly empty?: "refused" | "taken"; readonly only?: RegExp }
  | { readonly type: "integer"; readonly min: number; readonly max: number }
  | { readonly type: "enum"; readonly taken: readonly unknown[]; readonly refused: readonly unknown[] }
  | { readonly type: "boolean" | "map" | "object" | "base64" | "json" }
  /** Its entries have rows of their own. */
  | { readonly type: "list"; readonly max: number; readonly entry: unknown };

export interface Field {
  /** From the params on, as an error names it; "" is the params themselves. */
  readonly path: string;
  readonly kind: Kind;
  /** What the error names when the field is missing or null; absent when it may be. */
  readonly missing?: string;
  /** Texts that are taken, but name nothing that is there: the code of the answer. */
  readonly names?: number;
  /** What the error names when the value is of the right kind and empty, if that is refused. */
  readonly empty?: string;
  /** Replaces the value that stands there in the valid params, with what stands beside it. */
  readonly among?: Readonly<Record<string, unknown>>;
  /** A value of the right kind that is taken, where none is obvious. */
  readonly good?: unknown;
}

export interface MethodFields {
  readonly methods: readonly string[];
  /** Valid params around `task`, an ended task. */
  readonly params: (taskId: string) => Record<string, unknown>;
  /** The code of the answer to valid params; absent when they get a result. */
  readonly answer?: number;
  /** The method that takes back what this one has made, called with its result, so that no limit is reached. */
  readonly undo?: string;
  readonly fields: readonly Field[];
}

const INT32 = 2_147_483_647;
const ID: Extract<Kind, { type: "text" }> = { type: "text", max: 1024 };
const LONG: Extract<Kind, { type: "text" }> = { type: "text", max: 8192 };
const MAP: Kind = { type: "map" };
const OBJECT: Kind = { type: "object" };
const HISTORY: Kind = { type: "integer", min: 0, max: INT32 };
const NOT_FOUND = -32001;

/** What may stand in a header of a delivery. */
const HEADER: Kind = { type: "text", max: 8192, only: /^[!-~]([ -~]*[!-~])?$/ };
const WEBHOOK: Kind = { type: "text", max: 8192, empty: "refused", only: /^https:\/\/example\.com\/x*$/ };
const ONE_WORD: Kind = { type: "text", max: 1024, empty: "refused", only: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/ };

const PARAMS: Field = { path: "", kind: OBJECT, missing: "params" };
const TENANT: Field = { path: "tenant", kind: ID };
const HOOK = "configuration.taskPushNotificationConfig";

function required(path: string, kind: Kind, more: Partial<Field> = {}): Field {
  return { path, kind, missing: path, ...more };
}

function idOfTask(path: string): Field {
  return required(path, { ...ID, empty: "refused" }, { names: NOT_FOUND });
}

/** The fields of a webhook below `prefix`. */
function webhook(prefix: string, among: Readonly<Record<string, unknown>> = {}): Field[] {
  const login = `${prefix}authentication`;
  return [
    required(`${prefix}url`, WEBHOOK, { good: "https://example.com/", among }),
    { path: `${prefix}id`, kind: ID, among },
    { path: `${prefix}token`, kind: HEADER, good: "opaque", among },
    { path: login, kind: OBJECT, good: { scheme: "Bearer" }, empty: `${login}.scheme`, among },
    required(`${login}.scheme`, ONE_WORD, { good: "Bearer", among: { ...among, [login]: { scheme: "Bearer" } } }),
    { path: `${login}.credentials`, kind: HEADER, good: "abc", among: { ...among, [login]: { scheme: "Bearer" } } },
  ];
}

const PART = "message.parts[0]";

function content(name: string, kind: Kind, value: unknown, more: Partial<Field> = {}): Field {
  return { path: `${PART}.${name}`, kind, missing: PART, good: value, among: { [PART]: { [name]: value } }, ...more };
}

const MESSAGE_FIELDS: readonly Field[] = [
  required("message", OBJECT, { empty: "message.messageId" }),
  required("message.messageId", { ...ID, empty: "refused" }),
  required("message.role", {
    type: "enum",
    // Older spellings are read under every name, unless older dialects are not served.
    taken: ["ROLE_USER", 1, "user"],
    refused: ["ROLE_AGENT", 2, "ROLE_UNSPECIFIED", 0, "agent", "USER", "role_user", "", "1", -1, 1.5, 99],
  }),
  required("message.parts", { type: "list", max: 1000, entry: { text: "a" } }, { empty: "message.parts" }),
  { path: PART, kind: OBJECT, missing: PART, empty: PART },
  content("text", { type: "text", empty: "taken" }, "a", { empty: "message.parts" }),
  content("raw", { type: "base64" }, "QQ=="),
  content("url", { ...LONG, empty: "taken" }, "https://example.com"),
  content("data", { type: "json" }, { a: 1 }),
  { path: `${PART}.mediaType`, kind: { type: "text", max: 256 } },
  { path: `${PART}.filename`, kind: { type: "text", max: 1024 } },
  { path: `${PART}.metadata`, kind: MAP },
  { path: "message.contextId", kind: ID },
  { path: "message.taskId", kind: ID, names: NOT_FOUND },
  { path: "message.metadata", kind: MAP },
  { path: "message.extensions", kind: { type: "list", max: 100, entry: "urn:x" } },
  {
    path: "message.extensions[0]",
    kind: LONG,
    missing: "message.extensions[0]",
    among: { "message.extensions": [""] },
  },
  { path: "message.referenceTaskIds", kind: { type: "list", max: 100, entry: "t" } },
  {
    path: "message.referenceTaskIds[0]",
    kind: ID,
    missing: "message.referenceTaskIds[0]",
    among: { "message.referenceTaskIds": [""] },
  },
];

const SEND_FIELDS: readonly Field[] = [
  PARAMS,
  TENANT,
  { path: "metadata", kind: MAP },
  ...MESSAGE_FIELDS,
  { path: "configuration", kind: OBJECT, good: {} },
  { path: "configuration.acceptedOutputModes", kind: { type: "list", max: 100, entry: "text/plain" } },
  {
    path: "configuration.acceptedOutputModes[0]",
    kind: { type: "text", max: 256 },
    missing: "configuration.acceptedOutputModes[0]",
    among: { "configuration.acceptedOutputModes": [""] },
  },
  { path: "configuration.historyLength", kind: HISTORY },
  { path: "configuration.returnImmediately", kind: { type: "boolean" } },
  { path: HOOK, kind: OBJECT, good: { url: "https://example.com/" }, empty: `${HOOK}.url` },
  { path: `${HOOK}.taskId`, kind: ID, among: { [HOOK]: { url: "https://example.com/" } } },
  { path: `${HOOK}.tenant`, kind: ID, among: { [HOOK]: { url: "https://example.com/" } } },
  ...webhook(`${HOOK}.`, { [HOOK]: { url: "https://example.com/" } }),
];

const STATES = [
  "SUBMITTED",
  "WORKING",
  "COMPLETED",
  "FAILED",
  "CANCELED",
  "INPUT_REQUIRED",
  "REJECTED",
  "AUTH_REQUIRED",
];

const LIST_FIELDS: readonly Field[] = [
  PARAMS,
  TENANT,
  { path: "contextId", kind: ID },
  {
    path: "status",
    kind: {
      type: "enum",
      taken: [...STATES.map((state) => `TASK_STATE_${state}`), "TASK_STATE_UNSPECIFIED", 0, 1, 8],
      refused: ["done", "completed", "task_state_working", "", "1", 9, -1, 1.5],
    },
  },
  { path: "pageSize", kind: { type: "integer", min: 1, max: 100 } },
  { path: "pageToken", kind: { type: "text", max: 2048, only: /^$/ } },
  { path: "historyLength", kind: HISTORY },
  {
    path: "statusTimestampAfter",
    kind: { type: "text", max: 64, empty: "refused", only: /^\d{4}-\d\d-\d\dT.*Z$/ },
    good: "2026-01-01T00:00:00Z",
  },
  { path: "includeArtifacts", kind: { type: "boolean" } },
];

export const METHOD_FIELDS: readonly MethodFields[] = [
  {
    methods: ["SendMessage", "SendStreamingMessage"],
    params: () => ({ message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "a" }] } }),
    fields: SEND_FIELDS,
  },
  {
    methods: ["GetTask"],
    params: (id) => ({ id }),
    fields: [PARAMS, TENANT, idOfTask("id"), { path: "historyLength", kind: HISTORY }],
  },
  { methods: ["ListTasks"], params: () => ({ pageSize: 1 }), fields: LIST_FIELDS },
  {
    methods: ["CancelTask"],
    params: (id) => ({ id }),
    answer: -32002,
    fields: [PARAMS, TENANT, idOfTask("id"), { path: "metadata", kind: MAP }],
  },
  {
    methods: ["SubscribeToTask"],
    params: (id) => ({ id }),
    answer: -32004,
    fields: [PARAMS, TENANT, idOfTask("id")],
  },
  {
    methods: ["CreateTaskPushNotificationConfig"],
    params: (taskId) => ({ taskId, url: "https://example.com/" }),
    undo: "DeleteTaskPushNotificationConfig",
    fields: [PARAMS, TENANT, idOfTask("taskId"), ...webhook("")],
  },
  {
    methods: ["GetTaskPushNotificationConfig"],
    params: (taskId) => ({ taskId, id: "none" }),
    answer: NOT_FOUND,
    fields: [PARAMS, TENANT, idOfTask("taskId"), required("id", { ...ID, empty: "refused" })],
  },
  {
    methods: ["DeleteTaskPushNotificationConfig"],
    params: (taskId) => ({ taskId, id: "none" }),
    fields: [PARAMS, TENANT, idOfTask("taskId"), required("id", { ...ID, empty: "refused" })],
  },
  {
    methods: ["ListTaskPushNotificationConfigs"],
    params: (taskId) => ({ taskId }),
    fields: [
      PARAMS,
      TENANT,
      idOfTask("taskId"),
      { path: "pageSize", kind: { type: "integer", min: 0, max: INT32 } },
      // Any even number of bytes may stand for an id.
      { path: "pageToken", kind: { type: "text", max: 8192, only: /^([A-Za-z0-9_-]{8})*$/ } },
    ],
  },
  {
    methods: ["GetExtendedAgentCard"],
    params: () => ({}),
    fields: [{ path: "", kind: OBJECT }, TENANT],
  },
];
