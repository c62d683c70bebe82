// The shapes of A2A 1.0 as the official suite checks them: no member beyond those of the specification at any depth, and every
// required one there. Says where it found something else.

import assert from "node:assert/strict";

type Members = Readonly<Record<string, unknown>>;
type Check = (value: unknown, path: string) => void;

interface Shape {
  readonly required?: Readonly<Record<string, Check>>;
  readonly optional?: Readonly<Record<string, Check>>;
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const text: Check = (value, path) => assert.equal(typeof value, "string", path);
const filled: Check = (value, path) => assert.ok(typeof value === "string" && value !== "", path);
const flag: Check = (value, path) => assert.equal(typeof value, "boolean", path);
const count: Check = (value, path) => assert.ok(Number.isInteger(value), path);
const anything: Check = () => undefined;
const state: Check = (value, path) => assert.match(String(value), /^TASK_STATE_[A-Z_]+$/, path);
const role: Check = (value, path) => assert.match(String(value), /^ROLE_(USER|AGENT)$/, path);
const timestamp: Check = (value, path) => assert.match(String(value), TIMESTAMP, path);

const struct: Check = (value, path) => {
  assert.ok(typeof value === "object" && value !== null && !Array.isArray(value), `${path} is no object`);
};

function listOf(item: Check, least = 0): Check {
  return (value, path) => {
    assert.ok(Array.isArray(value), `${path} is no list`);
    assert.ok(value.length >= least, `${path} has ${value.length} entries`);
    for (const [index, entry] of value.entries()) item(entry, `${path}[${index}]`);
  };
}

function closed({ required = {}, optional = {} }: Shape): Check {
  return (value, path) => {
    struct(value, path);
    const members = value as Members;
    for (const name of Object.keys(required)) assert.ok(name in members, `${path}.${name} is missing`);
    for (const [name, member] of Object.entries(members)) {
      const check = required[name] ?? optional[name];
      assert.ok(check !== undefined, `${path}.${name} is not of A2A`);
      assert.notEqual(member, undefined, `${path}.${name}`);
      check(member, `${path}.${name}`);
    }
  };
}

/** Exactly one of these members, besides those of `rest`. */
function oneOf(members: Readonly<Record<string, Check>>, rest: Shape["optional"] = {}): Check {
  return (value, path) => {
    closed({ optional: { ...members, ...rest } })(value, path);
    const found = Object.keys(value as Members).filter((name) => name in members);
    assert.equal(found.length, 1, `${path} holds ${found.join(" and ") || "nothing"}`);
  };
}

const part = oneOf(
  { text, raw: text, url: text, data: anything },
  { mediaType: filled, filename: filled, metadata: struct },
);
const more = { metadata: struct, extensions: listOf(filled, 1) };

export const checkMessage: Check = closed({
  required: { messageId: filled, role, parts: listOf(part, 1) },
  optional: { contextId: filled, taskId: filled, referenceTaskIds: listOf(filled, 1), ...more },
});

const status = closed({ required: { state }, optional: { timestamp, message: checkMessage } });
const artifact = closed({
  required: { artifactId: filled, parts: listOf(part, 1) },
  optional: { name: filled, description: filled, ...more },
});

export const checkTask: Check = closed({
  required: { id: filled, contextId: filled, status },
  optional: { artifacts: listOf(artifact, 1), history: listOf(checkMessage, 1), metadata: struct },
});

/** The result of SendMessage. */
export const checkSendResult: Check = oneOf({ task: checkTask, message: checkMessage });

/** One stream frame, or one webhook body. */
export const checkStreamResponse: Check = oneOf({
  task: checkTask,
  message: checkMessage,
  statusUpdate: closed({ required: { taskId: filled, contextId: filled, status }, optional: { metadata: struct } }),
  artifactUpdate: closed({
    required: { taskId: filled, contextId: filled, artifact },
    optional: { append: flag, lastChunk: flag, metadata: struct },
  }),
});

export const checkTaskList: Check = closed({
  required: { tasks: listOf(checkTask), nextPageToken: text, pageSize: count, totalSize: count },
});

export const checkPushConfig: Check = closed({
  required: { id: filled, taskId: filled, url: filled },
  optional: {
    tenant: filled,
    token: filled,
    authentication: closed({ required: { scheme: filled }, optional: { credentials: filled } }),
  },
});

export const checkPushConfigList: Check = closed({
  required: { configs: listOf(checkPushConfig) },
  optional: { nextPageToken: text },
});

export const checkCard: Check = closed({
  required: {
    name: filled,
    description: filled,
    version: filled,
    supportedInterfaces: listOf(
      closed({
        required: { url: filled, protocolBinding: filled, protocolVersion: filled },
        optional: { tenant: filled },
      }),
      1,
    ),
    capabilities: closed({
      optional: {
        streaming: flag,
        pushNotifications: flag,
        extendedAgentCard: flag,
        extensions: listOf(
          closed({ optional: { uri: filled, description: filled, required: flag, params: struct } }),
          1,
        ),
      },
    }),
    defaultInputModes: listOf(filled, 1),
    defaultOutputModes: listOf(filled, 1),
    skills: listOf(
      closed({
        required: { id: filled, name: filled, description: filled, tags: listOf(filled, 1) },
        optional: { examples: listOf(filled, 1), inputModes: listOf(filled), outputModes: listOf(filled) },
      }),
      1,
    ),
  },
  optional: {
    provider: struct,
    documentationUrl: filled,
    iconUrl: filled,
    securitySchemes: struct,
    signatures: listOf(struct),
    securityRequirements: listOf(struct, 1),
  },
});
