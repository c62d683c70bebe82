// The objects of A2A 1.0 as a closed schema: which members each has, which must be there, and what must not be written (null, empty
// optional strings, lists and maps). Written from the specification, not from the encoders that it checks.

type Kind =
  | "string"
  | "text"
  | "boolean"
  | "number"
  | "base64"
  | "timestamp"
  | "map"
  | "json"
  | "strings"
  | "state"
  | "role"
  | "0.3 state"
  | "0.3 role";

interface Member {
  /** A kind of scalar, or the name of a shape; `[]` behind it for a list. */
  readonly is: string;
  readonly required: boolean;
}

/** `!` marks a required member. */
const SHAPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Task: {
    ...{ id: "string!", contextId: "string!", status: "TaskStatus!", artifacts: "Artifact[]", history: "Message[]" },
    metadata: "map",
  },
  TaskStatus: { state: "state!", message: "Message", timestamp: "timestamp!" },
  Message: {
    ...{ messageId: "string!", contextId: "string", taskId: "string", role: "role!", parts: "Part[]!" },
    ...{ metadata: "map", extensions: "strings", referenceTaskIds: "strings" },
  },
  Artifact: {
    ...{ artifactId: "string!", name: "string", description: "string", parts: "Part[]!", metadata: "map" },
    extensions: "strings",
  },
  Part: {
    ...{ text: "text", raw: "base64", url: "text", data: "json", mediaType: "string", filename: "string" },
    metadata: "map",
  },
  StatusUpdate: { taskId: "string!", contextId: "string!", status: "TaskStatus!", metadata: "map" },
  ArtifactUpdate: {
    ...{ taskId: "string!", contextId: "string!", artifact: "Artifact!", append: "boolean", lastChunk: "boolean" },
    metadata: "map",
  },
  SendResult: { task: "Task", message: "Message" },
  StreamResponse: { task: "Task", message: "Message", statusUpdate: "StatusUpdate", artifactUpdate: "ArtifactUpdate" },
  TaskList: { tasks: "Task[]!", nextPageToken: "text!", pageSize: "number!", totalSize: "number!" },
  PushConfig: {
    ...{ tenant: "string", id: "string!", taskId: "string!", url: "string!", token: "string" },
    authentication: "AuthenticationInfo",
  },
  AuthenticationInfo: { scheme: "string!" },
  PushConfigList: { configs: "PushConfig[]!", nextPageToken: "string" },
  Empty: {},
  AgentCard: {
    ...{ name: "string!", description: "string!", version: "string!", supportedInterfaces: "AgentInterface[]!" },
    ...{ provider: "AgentProvider", documentationUrl: "string", capabilities: "AgentCapabilities!" },
    ...{ securitySchemes: "map", securityRequirements: "SecurityRequirement[]", iconUrl: "string" },
    ...{ defaultInputModes: "strings!", defaultOutputModes: "strings!", skills: "AgentSkill[]!" },
    signatures: "Signature[]",
  },
  AgentInterface: { url: "string!", protocolBinding: "string!", protocolVersion: "string!", tenant: "string" },
  AgentProvider: { url: "string!", organization: "string!" },
  AgentCapabilities: {
    ...{ streaming: "boolean", pushNotifications: "boolean", extensions: "AgentExtension[]" },
    extendedAgentCard: "boolean",
  },
  AgentExtension: { uri: "string", description: "string", required: "boolean", params: "map" },
  AgentSkill: {
    ...{ id: "string!", name: "string!", description: "string!", tags: "strings!", examples: "strings" },
    ...{ inputModes: "strings", outputModes: "strings", securityRequirements: "SecurityRequirement[]" },
  },
  SecurityRequirement: { schemes: "map!" },
  Signature: { protected: "string!", signature: "string!", header: "map" },
  ...olderShapes(),
};

/** The objects of A2A 0.3, told apart by `kind`. */
function olderShapes(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return {
    "0.3 task": {
      ...{ kind: "string!", id: "string!", contextId: "string!", status: "0.3 status!", artifacts: "0.3 artifact[]" },
      ...{ history: "0.3 message[]", metadata: "map" },
    },
    "0.3 status": { state: "0.3 state!", message: "0.3 message", timestamp: "timestamp!" },
    "0.3 message": {
      ...{ kind: "string!", messageId: "string!", contextId: "string", taskId: "string", role: "0.3 role!" },
      ...{ parts: "0.3 part[]!", metadata: "map", extensions: "strings", referenceTaskIds: "strings" },
    },
    "0.3 artifact": {
      ...{ artifactId: "string!", name: "string", description: "string", parts: "0.3 part[]!", metadata: "map" },
      extensions: "strings",
    },
    "0.3 part": { kind: "string!", text: "text", file: "0.3 file", data: "map", metadata: "map" },
    "0.3 file": { bytes: "base64", uri: "text", name: "string", mimeType: "string" },
    "0.3 status-update": {
      ...{ kind: "string!", taskId: "string!", contextId: "string!", status: "0.3 status!", final: "boolean!" },
      metadata: "map",
    },
    "0.3 artifact-update": {
      ...{ kind: "string!", taskId: "string!", contextId: "string!", artifact: "0.3 artifact!", append: "boolean" },
      ...{ lastChunk: "boolean", metadata: "map" },
    },
  };
}

/** Shapes of which exactly one of these members is there. */
const ONE_OF: Readonly<Record<string, readonly string[]>> = {
  Part: ["text", "raw", "url", "data"],
  "0.3 part": ["text", "file", "data"],
  "0.3 file": ["bytes", "uri"],
  SendResult: ["task", "message"],
  StreamResponse: ["task", "message", "statusUpdate", "artifactUpdate"],
};

const STATES = [
  "SUBMITTED",
  "WORKING",
  "COMPLETED",
  "FAILED",
  "CANCELED",
  "REJECTED",
  "INPUT_REQUIRED",
  "AUTH_REQUIRED",
];
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Where `value` is not what `shape` says, one line each; nothing when it is. */
export function shapeFaults(shape: string, value: unknown, path = shape): string[] {
  const members = SHAPES[shape];
  if (members === undefined) return [`${path}: no such shape`];
  if (!isObject(value)) return [`${path}: ${JSON.stringify(value)} is no object`];
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(members, name));
  const found = (ONE_OF[shape] ?? []).filter((name) => Object.hasOwn(value, name));
  return [
    ...unknown.map((name) => `${path}.${name}: not in the specification`),
    ...(ONE_OF[shape] === undefined || found.length === 1 ? [] : [`${path}: has ${found.length} contents`]),
    ...Object.entries(members).flatMap(([name, text]) => memberFaults(memberOf(text), value, name, `${path}.${name}`)),
  ];
}

function memberOf(text: string): Member {
  return { is: text.replace(/!$/, ""), required: text.endsWith("!") };
}

function memberFaults({ is, required }: Member, object: Record<string, unknown>, name: string, path: string): string[] {
  if (!Object.hasOwn(object, name)) return required ? [`${path}: is missing`] : [];
  const value = object[name];
  if (is.endsWith("[]")) {
    if (!Array.isArray(value)) return [`${path}: is no list`];
    const empty = value.length === 0 && (!required || name === "parts") ? [`${path}: is empty`] : [];
    return [...empty, ...value.flatMap((item, index) => shapeFaults(is.slice(0, -2), item, `${path}[${index}]`))];
  }
  if (SHAPES[is] !== undefined) return shapeFaults(is, value, path);
  return isKind(is, value) ? [] : [`${path}: ${JSON.stringify(value)} is no ${is}`];
}

function isKind(is: string, value: unknown): boolean {
  const kind = is as Kind;
  switch (kind) {
    case "string":
      return typeof value === "string" && value !== "";
    case "text":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "number":
      return Number.isInteger(value);
    case "base64":
      return typeof value === "string" && BASE64.test(value);
    case "timestamp":
      return typeof value === "string" && TIMESTAMP.test(value);
    case "map":
      return isObject(value) && Object.keys(value).length > 0;
    case "json":
      return value !== undefined;
    case "strings":
      return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string" && item !== "");
    case "state":
      return STATES.some((state) => value === `TASK_STATE_${state}`);
    case "role":
      return value === "ROLE_USER" || value === "ROLE_AGENT";
    case "0.3 state":
      return STATES.some((state) => value === state.toLowerCase().replace("_", "-"));
    case "0.3 role":
      return value === "user" || value === "agent";
    default:
      return kind satisfies never;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
