// Deliveries to webhooks over real sockets: what receivers get, in which order, and what happens with those that fail, hang or lead
// elsewhere.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import type { ServerResponse } from "node:http";
import { call, openStream, textParams } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../support/a2a-server.ts";
import { type Answer, type HttpPeer, type PeerRequest, startHttpPeer } from "../support/http-peer.ts";
import type { RunHandle } from "../support/scripted-runner.ts";

const OK: Answer = (_request, response) => void response.writeHead(200).end("{}");

describe("deliveries to webhooks", () => {
  let server: TestServer;
  let receiver: HttpPeer;
  /** The length of every timer that was set since the task began. */
  let timers: number[];
  const begin = async (answer: Answer, options: TestServerOptions = { push: {} }): Promise<void> => {
    receiver = await startHttpPeer(answer);
    server = await startTestServer(options);
    timers = noteTimers(server);
  };
  afterEach(async () => {
    await server.stop();
    await receiver.stop();
  });

  /** Sends a message with a webhook at the receiver, and gives the run that works on it. */
  const startTask = async (webhook: object = {}, message: object = {}): Promise<Started> => {
    const url = `${receiver.origin}/hook`;
    const configuration = { taskPushNotificationConfig: { url, ...webhook } };
    const sent = call(server.port, "SendMessage", textParams("work", message, configuration));
    const run = await server.runner.next();
    timers.length = 0;
    return { run, done: sent.then(({ json }) => json.result?.task?.id ?? JSON.stringify(json)) };
  };

  it("are every status and every whole artifact, each as one StreamResponse (P01, P02) [push-body] [push-events] [push-order]", async () => {
    await begin(OK);
    const { run, done } = await startTask();
    run.working("reading");
    run.text("He", { provisional: true });
    run.text("llo", { provisional: true, append: true });
    run.text(", world", { append: true });
    run.text("whole", { id: "file" });
    run.metadata({ truncated: true });
    run.complete();
    const taskId = await done;
    await receiver.arrived(5);
    assert.deepEqual(receiver.requests.map(labelOf), [
      "SUBMITTED",
      "WORKING",
      "reply: Hello, world",
      "file: whole",
      "COMPLETED",
    ]);
    for (const { method, path, headers, body } of receiver.requests) {
      assert.equal(`${method} ${path}`, "POST /hook");
      assert.equal(headers["content-type"], "application/a2a+json");
      const update = JSON.parse(body);
      assert.equal(Object.keys(update).length, 1);
      assert.equal((update.statusUpdate ?? update.artifactUpdate).taskId, taskId);
    }
    const last = JSON.parse(receiver.requests[4]?.body ?? "").statusUpdate;
    assert.equal(last.status.state, "TASK_STATE_COMPLETED");
    assert.deepEqual(last.metadata, { truncated: true });
  });

  it("carry credentials, token and version from the first one on [push-authorization] [push-token] [push-version]", async () => {
    await begin(OK);
    const { run, done } = await startTask({
      token: "opaque",
      authentication: { scheme: "Bearer", credentials: "s3cret" },
    });
    run.complete();
    await done;
    await receiver.arrived(2);
    for (const { headers } of receiver.requests) {
      assert.equal(headers.authorization, "Bearer s3cret");
      assert.equal(headers["x-a2a-notification-token"], "opaque");
      assert.equal(headers["a2a-version"], "1.0");
      assert.equal(headers["x-a2a-signature"], undefined);
    }
  });

  it("are signed over their exact bytes when there is a secret [push-signature]", async () => {
    await begin(OK, { push: { secret: "key" } });
    const { run, done } = await startTask();
    run.complete("grüße \u{1F44B}");
    await done;
    await receiver.arrived(2);
    for (const { headers, body } of receiver.requests) {
      const hex = createHmac("sha256", "key").update(Buffer.from(body, "utf8")).digest("hex");
      assert.equal(headers["x-a2a-signature"], `sha256=${hex}`);
      assert.equal(headers.authorization, undefined);
    }
  });

  it("go on with the answer to a question, to the webhook of the first message", async () => {
    await begin(OK);
    const { run, done } = await startTask({ id: "mine" });
    run.text("so far", { provisional: true });
    run.ask("which?");
    const taskId = await done;
    const answered = call(server.port, "SendMessage", textParams("this", { taskId }));
    (await server.runner.next()).complete();
    await answered;
    await receiver.arrived(5);
    assert.deepEqual(receiver.requests.map(labelOf), [
      "SUBMITTED",
      "reply: so far",
      "INPUT_REQUIRED",
      "WORKING",
      "COMPLETED",
    ]);
  });

  it("begin for a webhook that is made later with what comes then, and end when it is deleted [push-delete]", async () => {
    await begin(OK);
    const stream = await openStream(server.port, "SendStreamingMessage", textParams("work"));
    const run = await server.runner.next();
    run.working();
    await stream.event(2);
    const taskId = run.request.taskId;
    await call(server.port, "CreateTaskPushNotificationConfig", { taskId, id: "a", url: receiver.origin });
    run.working("one");
    await receiver.arrived(1);
    await call(server.port, "DeleteTaskPushNotificationConfig", { taskId, id: "a" });
    run.complete();
    await stream.ended;
    await turns();
    assert.deepEqual(receiver.requests.map(labelOf), ["WORKING"]);
  });

  it("that are answered 500 twice and then 200 come once each and in order (P02) [push-retry] [push-order]", async () => {
    const failures = [500, 500];
    await begin((_request, response) => void response.writeHead(failures.shift() ?? 204).end());
    const { run, done } = await startTask();
    run.working();
    run.text("a");
    run.complete();
    await done;
    for (const [tries, waitMs] of [
      [1, 1000],
      [2, 2000],
    ] as const) {
      await waitFor(() => timers.includes(waitMs));
      server.clock.tick(waitMs - 1);
      await turns();
      assert.equal(receiver.requests.length, tries);
      server.clock.tick(1);
    }
    await receiver.arrived(6);
    const taken = receiver.requests.slice(2).map(labelOf);
    assert.deepEqual(taken, ["SUBMITTED", "WORKING", "reply: a", "COMPLETED"]);
    await waitFor(() => server.clock.pending() === 0);
  });

  it("are given up after three more tries, and the next one goes on [push-retry]", async () => {
    await begin((request, response) => void response.writeHead(labelOf(request) === "SUBMITTED" ? 503 : 200).end());
    const { run, done } = await startTask();
    run.complete();
    const taskId = await done;
    for (const waitMs of [1000, 2000, 4000]) {
      await waitFor(() => timers.includes(waitMs));
      server.clock.tick(waitMs);
    }
    await receiver.arrived(5);
    assert.deepEqual(receiver.requests.map(labelOf), [...Array(4).fill("SUBMITTED"), "COMPLETED"]);
    const said = server.log.lines().map(({ text }) => text);
    assert.deepEqual(said, [
      `${taskId}: an update for the webhook at ${new URL(receiver.origin).host} is given up: it answered HTTP 503`,
    ]);
  });

  for (const status of [301, 400, 404, 410]) {
    it(`that are answered ${status} are not tried again, nor followed elsewhere [push-no-redirect]`, async () => {
      await begin((_request, response) => void response.writeHead(status, { Location: "/elsewhere" }).end());
      const { run, done } = await startTask();
      run.complete();
      await done;
      await receiver.arrived(2);
      await waitFor(() => server.log.lines().length === 2);
      assert.deepEqual(receiver.requests.map(labelOf), ["SUBMITTED", "COMPLETED"]);
      assert.ok(receiver.requests.every(({ path }) => path === "/hook"));
    });
  }

  it("to a receiver that is slow hold up neither the task nor another receiver (P02) [push-slow-receiver]", async () => {
    const held: ServerResponse[] = [];
    await begin((_request, response) => void held.push(response));
    const other = await startHttpPeer(OK);
    const { run, done } = await startTask({ id: "slow" });
    const taskId = run.request.taskId;
    run.working();
    await receiver.arrived(1);
    await call(server.port, "CreateTaskPushNotificationConfig", { taskId, id: "quick", url: other.origin });
    run.text("a");
    run.complete();
    await done;
    await other.arrived(2);
    assert.deepEqual(other.requests.map(labelOf), ["reply: a", "COMPLETED"]);
    assert.equal(receiver.requests.length, 1);
    for (let n = 1; n <= 4; n++) {
      await receiver.arrived(n);
      server.clock.tick(2000);
      held[n - 1]?.writeHead(200).end();
    }
    await waitFor(() => server.clock.pending() === 0);
    assert.deepEqual(receiver.requests.map(labelOf), ["SUBMITTED", "WORKING", "reply: a", "COMPLETED"]);
    await other.stop();
  });

  it("that are not answered in time have failed [push-timeout]", async () => {
    let answering = false;
    await begin((_request, response) => void (answering ? response.writeHead(200).end() : undefined), {
      push: { timeoutMs: 3000 },
    });
    const { run, done } = await startTask();
    run.complete();
    await done;
    await receiver.arrived(1);
    answering = true;
    server.clock.tick(3000);
    await waitFor(() => timers.includes(1000));
    server.clock.tick(1000);
    await receiver.arrived(3);
    assert.deepEqual(receiver.requests.map(labelOf), ["SUBMITTED", "SUBMITTED", "COMPLETED"]);
  });

  it("never reach an address that is not public, whatever the name led to before (P06) [push-target-resolved]", async () => {
    const answers = ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1"];
    const lookups: string[] = [];
    await begin(OK, {
      push: {
        allowInsecure: false,
        resolve: (host, done) => {
          lookups.push(host);
          const address = answers[lookups.length - 1] ?? "127.0.0.1";
          done(null, [{ address, family: address.includes(":") ? 6 : 4 }]);
        },
      },
    });
    const { run, done } = await startTask({ url: `https://rebind.example:${receiver.port}/` });
    run.working();
    run.working("note");
    run.complete();
    await done;
    await waitFor(() => server.log.lines().length === 4);
    assert.equal(lookups.length, 4);
    assert.equal(await receiver.allClosed(), 0);
    for (const { text } of server.log.lines()) assert.match(text, /leads to the (loopback|private|link-local) address/);
  });

  it("connect to the address that was checked, with the name as Host (P06) [push-target-pinned]", async () => {
    let lookups = 0;
    await begin(OK, {
      push: {
        resolve: (_host, done) => {
          lookups += 1;
          // Whoever looked it up a second time would be led elsewhere.
          done(null, [{ address: lookups === 1 ? "127.0.0.1" : "127.0.0.99", family: 4 }]);
        },
      },
    });
    const { run, done } = await startTask({ url: `http://rebind.example:${receiver.port}/` });
    run.complete();
    await done;
    await receiver.arrived(2);
    assert.equal(lookups, 1);
    assert.equal(receiver.requests[0]?.headers.host, `rebind.example:${receiver.port}`);
  });

  it("of an engine that stops tell the end of its tasks", async () => {
    await begin(OK);
    const { run, done } = await startTask();
    run.working();
    await receiver.arrived(2);
    await server.engine.stop("stopped by its operator");
    await done;
    const last = JSON.parse((await receiver.arrived(3)).body).statusUpdate.status;
    assert.equal(last.state, "TASK_STATE_FAILED");
    assert.equal(last.message.parts[0].text, "stopped by its operator");
  });
});

interface Started {
  readonly run: RunHandle;
  /** The id of the task once its caller has it. */
  readonly done: Promise<string>;
}

function noteTimers({ clock }: TestServer): number[] {
  const timers: number[] = [];
  const { after } = clock;
  clock.after = (ms, fire) => {
    timers.push(ms);
    return after(ms, fire);
  };
  return timers;
}

/** `WORKING`, or `reply: text` for an artifact. */
function labelOf({ body }: PeerRequest): string {
  const { statusUpdate, artifactUpdate } = JSON.parse(body);
  if (statusUpdate !== undefined) return statusUpdate.status.state.slice("TASK_STATE_".length);
  const { artifact, append, lastChunk } = artifactUpdate;
  const text = artifact.parts.map((part: { text: string }) => part.text).join("");
  return `${artifact.artifactId}: ${text}${append === true || lastChunk !== true ? " (a piece)" : ""}`;
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function waitFor(holds: () => boolean): Promise<void> {
  for (let turn = 0; !holds(); turn++) {
    assert.ok(turn < 1_000_000, `never came true: ${holds}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
