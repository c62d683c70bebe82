// Every field of every method, with every kind of value: refused by its path with nothing started, or taken.

import assert from "node:assert/strict";
import { Agent, type IncomingMessage, request } from "node:http";
import { call, textParams } from "../support/a2a-calls.ts";
import { CARD_FACTS, createAnsweringRunner, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { HUGE_NUMBER, type Sample, samplesOf } from "./bad-values.ts";
import { METHOD_FIELDS, type MethodFields } from "./fields.ts";
import { taskOf } from "./stage.ts";

describe("bad input", () => {
  let server: TestServer;
  let agent: Agent;
  before(async () => {
    agent = new Agent({ keepAlive: true });
    server = await startTestServer({
      runner: createAnsweringRunner(),
      features: { extendedCard: true },
      cardFacts: () => ({ ...CARD_FACTS, session: { pid: 1 } }),
    });
  });
  after(async () => {
    agent.destroy();
    await server.stop();
  });

  const ask = (method: string, params: unknown): Promise<Answer> => {
    const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }).replaceAll(`"${HUGE_NUMBER}"`, "1e999");
    return new Promise((resolve, reject) => {
      const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
      request({ host: "127.0.0.1", port: server.port, method: "POST", headers, agent }, (response) => {
        collect(response).then(resolve, reject);
      })
        .on("error", reject)
        .end(text);
    });
  };
  /** What must not change when a request is refused. */
  const state = (taskId: string): object => ({
    ...server.engine.stats(),
    webhooks: server.engine.push.of(taskId) ?? [],
  });

  const tryRefused = async (method: string, samples: readonly Sample[]): Promise<void> => {
    for (const sample of samples) {
      if (sample.refusedAt !== undefined) assertRefused(await ask(method, sample.params), sample);
    }
  };
  const tryTaken = async (
    method: string,
    samples: readonly Sample[],
    { answer, undo }: MethodFields,
  ): Promise<void> => {
    for (const sample of samples) {
      if (sample.refusedAt !== undefined) continue;
      const reply = await ask(method, sample.params);
      assertTaken(reply, sample, sample.answer ?? answer);
      if (undo !== undefined) await ask(undo, JSON.parse(reply.text).result);
    }
  };

  for (const group of METHOD_FIELDS) {
    for (const [method, field] of group.methods.flatMap((name) => group.fields.map((each) => [name, each] as const))) {
      it(`[in-every-field] ${method}: ${field.path || "params"}`, async () => {
        const { id } = taskOf(await call(server.port, "SendMessage", textParams("a")));
        const samples = samplesOf(field, () => group.params(id));
        const before = state(id);
        await tryRefused(method, samples);
        assert.deepEqual(state(id), before, "a refused request has changed something");
        await tryTaken(method, samples, group);
      });
    }
  }
});

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

async function collect(response: IncomingMessage): Promise<Answer> {
  let text = "";
  response.setEncoding("utf8");
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode ?? 0, type: response.headers["content-type"] ?? "", text };
}

function assertRefused({ status, type, text }: Answer, { label, refusedAt }: Sample): void {
  assert.equal(status, 200, label);
  assert.equal(type, "application/json", label);
  const { error } = JSON.parse(text);
  assert.equal(error?.code, -32602, `${label}: ${text.slice(0, 300)}`);
  const [info, badRequest, ...others] = error.data;
  assert.equal(info.reason, "INVALID_PARAMS", label);
  assert.equal(badRequest["@type"], "type.googleapis.com/google.rpc.BadRequest", label);
  assert.deepEqual(others, [], label);
  assert.deepEqual(
    badRequest.fieldViolations.map(({ field }: { field: string }) => field),
    [refusedAt],
    label,
  );
}

/** Answered by a result, a stream, or the one error that valid params get. */
function assertTaken({ status, type, text }: Answer, { label }: Sample, code: number | undefined): void {
  assert.equal(status, 200, label);
  if (type === "text/event-stream") {
    assert.equal(code, undefined, label);
    return;
  }
  const reply = JSON.parse(text);
  assert.equal(reply.error?.code, code, `${label}: ${text.slice(0, 300)}`);
  assert.equal(Object.hasOwn(reply, "result"), code === undefined, label);
}
