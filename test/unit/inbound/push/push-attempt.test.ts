import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { A2aError, type ErrorCode } from "../../../../src/core/platform/errors.ts";
import type { HttpPort, HttpRequest, HttpResponse } from "../../../../src/core/platform/http-types.ts";
import { createLog } from "../../../../src/core/platform/log.ts";
import { attemptPush, type PushSettings } from "../../../../src/inbound/push/push-attempt.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";

const CONFIG = { taskId: "t", id: "c", url: "https://hooks.example.com/secret-path" };
const STRICT: PushSettings = { timeoutMs: 15_000, allowInsecure: false, secret: "" };

function createRig(answer: (request: HttpRequest) => Promise<HttpResponse>, settings: Partial<PushSettings> = {}) {
  const clock = createFakeClock();
  const log = createLog(clock, () => "f1");
  const requests: HttpRequest[] = [];
  const end = new AbortController();
  const http: HttpPort = {
    request(request) {
      requests.push(request);
      return answer(request);
    },
    close: () => undefined,
  };
  const deps = { http, clock, log, settings: () => ({ ...STRICT, ...settings }), signal: end.signal };
  return { clock, log, requests, end, attempt: (config = CONFIG) => attemptPush(deps, config, "{}") };
}

function answered(status: number, body: () => Promise<string> = async () => ""): HttpResponse {
  return { status, headers: new Map(), text: body, chunks: noChunks, close: () => undefined };
}

async function* noChunks(): AsyncGenerator<Uint8Array, void> {
  // Nobody reads them.
}

/** Ends as HttpPort does when the signal of a request aborts. */
function untilAborted({ signal }: HttpRequest): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => {
      reject(signal.reason instanceof A2aError ? signal.reason : new A2aError("CANCELLED", "stopped"));
    });
  });
}

describe("one attempt to deliver", () => {
  it("takes every 2xx for success, whatever its body", async () => {
    for (const status of [200, 201, 202, 204, 299]) {
      const endless = async (): Promise<string> => Promise.reject(new A2aError("PEER_BAD_REPLY", "too large"));
      for (const body of [async () => "ok", endless]) {
        const { attempt, clock, end } = createRig(async () => answered(status, body));
        assert.deepEqual(await attempt(), { kind: "delivered" });
        assert.equal(clock.pending(), 0);
        assert.equal(getEventListeners(end.signal, "abort").length, 0);
      }
    }
  });

  it("may be repeated after 429 and 5xx, and after no other status", async () => {
    for (const [status, kind] of [
      [429, "failed"],
      [500, "failed"],
      [503, "failed"],
      [599, "failed"],
      [301, "refused"],
      [307, "refused"],
      [400, "refused"],
      [401, "refused"],
      [404, "refused"],
      [408, "refused"],
      [410, "refused"],
    ] as const) {
      const { attempt } = createRig(async () => answered(status));
      assert.deepEqual(await attempt(), { kind, reason: `it answered HTTP ${status}` });
    }
  });

  it("may be repeated after faults of the network, and not when the address is refused", async () => {
    const cases: [code: ErrorCode, kind: string][] = [
      ["PEER_UNREACHABLE", "failed"],
      ["PEER_TIMEOUT", "failed"],
      ["PEER_BAD_REPLY", "failed"],
      ["ADDRESS_REFUSED", "refused"],
      ["INTERNAL", "refused"],
      ["CANCELLED", "refused"],
    ];
    for (const [code, kind] of cases) {
      const { attempt } = createRig(async () => Promise.reject(new A2aError(code, "no")));
      assert.deepEqual(await attempt(), { kind, reason: "no" }, code);
    }
  });

  it("never rejects", async () => {
    const { attempt, log } = createRig(async () => Promise.reject(new TypeError("a fault")));
    assert.deepEqual(await attempt(), { kind: "refused", reason: "of a fault (log id f1)" });
    assert.match(log.lines()[0]?.text ?? "", /a fault/);
  });

  it("lasts as long as the setting says, its answer's body included", async () => {
    const { attempt, clock } = createRig(untilAborted, { timeoutMs: 500 });
    const outcome = attempt();
    clock.tick(500);
    assert.deepEqual(await outcome, { kind: "failed", reason: "no answer within 0.5 s" });

    const slow = createRig(async (request) => answered(200, () => untilAborted(request)), { timeoutMs: 500 });
    const second = slow.attempt();
    await new Promise((resolve) => setImmediate(resolve));
    slow.clock.tick(500);
    assert.deepEqual(await second, { kind: "delivered" });
  });

  it("ends when nobody waits for it any more", async () => {
    const { attempt, end, clock } = createRig(untilAborted);
    const outcome = attempt();
    end.abort();
    assert.equal((await outcome).kind, "refused");
    assert.equal(clock.pending(), 0);
  });

  it("sends nothing to what must not be called, by the setting of this moment", async () => {
    const { attempt, requests } = createRig(async () => answered(200));
    const outcome = await attempt({ ...CONFIG, url: "http://hooks.example.com/secret-path" });
    assert.ok(outcome.kind === "refused");
    assert.match(outcome.reason, /^its url must be https, not plain http/);
    assert.doesNotMatch(outcome.reason, /secret-path/);
    assert.deepEqual(requests, []);
  });

  it("reaches public addresses only, and any where the operator allows it", async () => {
    const strict = createRig(async () => answered(200));
    await strict.attempt();
    assert.equal(strict.requests[0]?.addresses, "public");
    const lax = createRig(async () => answered(200), { allowInsecure: true });
    await lax.attempt({ ...CONFIG, url: "http://10.0.0.1/" });
    assert.equal(lax.requests[0]?.addresses, "any");
  });

  it("sends no Authorization without credentials", async () => {
    const { attempt, requests } = createRig(async () => answered(200));
    await attempt({ ...CONFIG, authentication: { scheme: "Bearer" } } as typeof CONFIG);
    assert.equal(requests[0]?.headers.Authorization, undefined);
    assert.deepEqual(Object.keys(requests[0]?.headers ?? {}).sort(), ["A2A-Version", "Content-Type", "User-Agent"]);
  });
});
