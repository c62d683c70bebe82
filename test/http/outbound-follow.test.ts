// Streams that break, end early or make no sense: the message is never sent again, and an early end is never taken for success.

import assert from "node:assert/strict";
import { afterEach, describe, it } from "mocha";
import { CONTEXT_ID, completedTask, TASK_ID, task } from "../support/builders.ts";
import { openStream, sendError, sendResult } from "../support/http-peer.ts";
import { failure, type Method, type Rig, startRig, testSettings, whileTicking } from "../support/outbound-rig.ts";

const update = (state: string): object => ({
  statusUpdate: { taskId: TASK_ID, contextId: CONTEXT_ID, status: { state } },
});
const piece = (text: string, append: boolean): object => ({
  artifactUpdate: {
    taskId: TASK_ID,
    contextId: CONTEXT_ID,
    append,
    artifact: { artifactId: "reply", parts: [{ text }] },
  },
});
const working = task("TASK_STATE_WORKING");
const withText = (text: string) =>
  task("TASK_STATE_WORKING", { artifacts: [{ artifactId: "reply", parts: [{ text }] }] });
const completed = update("TASK_STATE_COMPLETED");

describe("following a task", () => {
  let rig: Rig;
  const start = async (methods: Record<string, Method>): Promise<void> => {
    rig = await startRig({ streaming: true, methods });
  };
  afterEach(() => rig.end());
  const sentOnce = (): void => assert.equal(rig.peer.calls("SendStreamingMessage").length, 1);

  /** A stream with a task and one piece, that then ends as `end` says. */
  const cut =
    (end: (response: Parameters<Method>[1], stream: ReturnType<typeof openStream>) => void): Method =>
    (request, response) => {
      const stream = openStream(request, response);
      stream.frame({ task: working });
      stream.frame(piece("Hello, ", false));
      end(response, stream);
    };

  it("subscribes again when the stream ends cleanly without a terminal state (C18) [client-stream-broken]", async () => {
    await start({
      SendStreamingMessage: cut((_response, stream) => stream.end()),
      SubscribeToTask: (request, response) => {
        const stream = openStream(request, response);
        stream.frame({ task: withText("Hello, ") });
        stream.frame(piece("world", true));
        stream.frame(completed);
        stream.end();
      },
    });
    assert.equal((await rig.callTicking()).text, "Hello, world");
    assert.deepEqual(rig.peer.calls("SubscribeToTask")[0]?.rpc.params, { id: TASK_ID });
    sentOnce();
  });

  it("subscribes again when the connection is reset", async () => {
    await start({
      SendStreamingMessage: cut((response) => setImmediate(() => response.socket?.resetAndDestroy())),
      SubscribeToTask: (request, response) => openStream(request, response).frame({ task: completedTask("there") }),
    });
    assert.equal((await rig.callTicking()).text, "there");
    sentOnce();
  });

  it("asks for the task when it has ended meanwhile (-32004)", async () => {
    await start({
      SendStreamingMessage: cut((_response, stream) => stream.end()),
      SubscribeToTask: (request, response) => sendError(request, response, -32004, "the task has ended"),
      GetTask: (request, response) => sendResult(request, response, completedTask("whole")),
    });
    assert.equal((await rig.callTicking()).text, "whole");
    assert.equal(rig.peer.calls("SubscribeToTask").length, 1);
    sentOnce();
  });

  it("uses a last event that lacks its blank line (C23)", async () => {
    await start({
      SendStreamingMessage: (request, response) => {
        const stream = openStream(request, response);
        stream.frame({ task: working });
        stream.raw(`data: ${JSON.stringify({ jsonrpc: "2.0", id: request.rpc.id, result: completed })}`);
        stream.end();
      },
    });
    assert.equal((await rig.callTicking()).state, "TASK_STATE_COMPLETED");
    assert.equal(rig.peer.requests.length, 2);
  });

  it("asks when the last event is cut in the middle (C23)", async () => {
    await start({
      SendStreamingMessage: cut((_response, stream) => {
        stream.raw('data: {"jsonrpc":"2.0","id":1,"result":{"statusUpd');
        stream.end();
      }),
      SubscribeToTask: (request, response) => sendError(request, response, -32601, "unknown method"),
      GetTask: (request, response) => sendResult(request, response, completedTask("whole")),
    });
    assert.equal((await rig.callTicking()).text, "whole");
  });

  it("joins the data lines of one event (C20)", async () => {
    await start({
      SendStreamingMessage: (request, response) => {
        const stream = openStream(request, response);
        stream.raw(
          `: hi\r\nevent: x\r\nid: 1\r\nretry: 5\r\ndata: {"jsonrpc":"2.0","id":${JSON.stringify(request.rpc.id)},\r\n`,
        );
        stream.raw(`data: "result":${JSON.stringify({ task: completedTask("joined") })}}\r\n\r\n`);
      },
    });
    assert.equal((await rig.call()).text, "joined");
  });

  it("reads letters that are cut between chunks (C22)", async () => {
    await start({
      SendStreamingMessage: (request, response) => {
        openStream(request, response);
        const frame = { jsonrpc: "2.0", id: request.rpc.id, result: { task: completedTask("日本語 🧪") } };
        const bytes = Buffer.from(`data: ${JSON.stringify(frame)}\n\n`);
        const next = (at: number): void => {
          if (at < bytes.length) response.write(bytes.subarray(at, at + 1), () => setImmediate(() => next(at + 1)));
        };
        next(0);
      },
    });
    assert.equal((await rig.call()).text, "日本語 🧪");
  });

  it("asks after three subscriptions that end at once, and does not subscribe for ever", async () => {
    await start({
      SendStreamingMessage: cut((_response, stream) => stream.end()),
      SubscribeToTask: (request, response) => {
        const stream = openStream(request, response);
        stream.frame({ task: working });
        stream.end();
      },
      GetTask: (request, response, nth) => sendResult(request, response, nth < 3 ? working : completedTask("polled")),
    });
    assert.equal((await rig.callTicking()).text, "polled");
    assert.equal(rig.peer.calls("SubscribeToTask").length, 3);
    sentOnce();
  });

  it("keeps subscribing while the streams bring something new", async () => {
    await start({
      SendStreamingMessage: cut((_response, stream) => stream.end()),
      SubscribeToTask: (request, response, nth) => {
        const stream = openStream(request, response);
        stream.frame({ task: working });
        stream.frame(nth < 8 ? piece(`piece ${nth}`, false) : completed);
        stream.end();
      },
    });
    assert.equal((await rig.callTicking()).text, "piece 7");
  });

  it("goes on by asking after an error in the middle of the stream", async () => {
    await start({
      SendStreamingMessage: (request, response) => {
        const stream = openStream(request, response);
        stream.frame({ task: working });
        const error = { jsonrpc: "2.0", id: request.rpc.id, error: { code: -32603, message: "reader too slow" } };
        stream.raw(`event: error\ndata: ${JSON.stringify(error)}\n\n`);
      },
      SubscribeToTask: (request, response) => sendError(request, response, -32601, "unknown method"),
      GetTask: (request, response) => sendResult(request, response, completedTask("still done")),
    });
    assert.equal((await rig.callTicking()).text, "still done");
  });

  it("throws the error of the stream when the peer then knows nothing of the task", async () => {
    await start({
      SendStreamingMessage: (request, response) => {
        const stream = openStream(request, response);
        stream.frame({ task: working });
        stream.raw(
          `data: ${JSON.stringify({ jsonrpc: "2.0", id: request.rpc.id, error: { code: -32000, message: "boom" } })}\n\n`,
        );
      },
      SubscribeToTask: (request, response) => sendError(request, response, -32001, "no such task"),
      GetTask: (request, response) => sendError(request, response, -32001, "no such task"),
    });
    const error = await failure(rig.callTicking(), "PEER_ERROR");
    assert.match(error.message, /-32000: boom/);
    assert.match(error.message, new RegExp(TASK_ID));
  });

  it("says that the peer does not know the task any more when it was lost with the stream (S19)", async () => {
    await start({
      SendStreamingMessage: cut((response) => setImmediate(() => response.socket?.destroy())),
      SubscribeToTask: (request, response) => sendError(request, response, -32001, "no such task"),
      GetTask: (request, response) => sendError(request, response, -32001, "no such task"),
    });
    const error = await failure(rig.callTicking(), "PEER_ERROR");
    assert.match(error.message, /closed the connection.*-32001: no such task/);
    assert.match(error.message, new RegExp(`does not know task ${TASK_ID} .*any more: it has restarted, or .*expired`));
    assert.doesNotMatch(error.message, /may still run/);
    assert.doesNotMatch(error.hint, /a2a_status/);
    assert.equal(error.metadata.taskId, TASK_ID);
    sentOnce();
  });

  it("does not send the caller to a2a_status when a silent stream has named no task", async () => {
    await start({ SendStreamingMessage: (request, response) => openStream(request, response) });
    rig.settings = testSettings({ timeouts: { send: 600_000, async: 30_000, stream: 5000 } });
    const error = await failure(rig.callTicking(), "PEER_TIMEOUT");
    assert.match(error.message, /sent nothing for 5 s/);
    assert.doesNotMatch(error.hint, /a2a_status/);
    assert.match(error.hint, /named no task; look there before sending/);
  });

  it("follows a task that came as plain JSON in place of a stream (C24)", async () => {
    await start({
      SendStreamingMessage: (request, response) => sendResult(request, response, { task: working }),
      SubscribeToTask: (request, response) => openStream(request, response).frame({ task: completedTask("there") }),
    });
    assert.equal((await rig.callTicking()).text, "there");
    sentOnce();
  });

  it("does not take a stream for an answer that ends before it names a task", async () => {
    await start({
      SendStreamingMessage: (request, response) => {
        const stream = openStream(request, response);
        stream.frame({ statusUpdate: { status: { state: "TASK_STATE_WORKING" } } });
        stream.end();
      },
    });
    assert.match((await failure(rig.call(), "PEER_BAD_REPLY")).message, /ended its stream before it named a task/);
    sentOnce();
  });

  it("does not take an end before any event for an answer", async () => {
    await start({ SendStreamingMessage: (request, response) => openStream(request, response).end() });
    assert.match((await failure(rig.call(), "PEER_BAD_REPLY")).message, /ended its stream without an event/);
    sentOnce();
  });

  it("does not send again when the stream breaks before the task is named", async () => {
    await start({
      SendStreamingMessage: (request, response) => {
        openStream(request, response).raw(": hello\n\n");
        setImmediate(() => response.socket?.destroy());
      },
    });
    const error = await failure(rig.callTicking(), "PEER_UNREACHABLE");
    assert.match(error.hint, /may have taken/);
    sentOnce();
  });

  const BAD_FRAMES: readonly [name: string, frame: (id: unknown) => string, message: RegExp][] = [
    [
      "with the id of another request (W03)",
      () => JSON.stringify({ jsonrpc: "2.0", id: 8, result: completed }),
      /has the id 8/,
    ],
    ["without the version marker (W02)", (id) => JSON.stringify({ id, result: completed }), /no "jsonrpc":"2\.0"/],
    ["with another version (W02)", (id) => JSON.stringify({ jsonrpc: "1.0", id, result: completed }), /"1\.0"/],
    ["that is no JSON", () => "hello", /not valid JSON/],
    ["that is no response", (id) => JSON.stringify({ jsonrpc: "2.0", id, result: { x: 1 } }), /must hold one task/],
    [
      "with an unknown state",
      (id) => JSON.stringify({ jsonrpc: "2.0", id, result: update("FROBNICATE") }),
      /FROBNICATE/,
    ],
    ["nested without end", () => "[".repeat(100_000), /nests more than 64/],
  ];
  for (const [name, frame, message] of BAD_FRAMES) {
    it(`ends the call at a frame ${name}, naming the task`, async () => {
      await start({
        SendStreamingMessage: (request, response) => {
          const stream = openStream(request, response);
          stream.frame({ task: working });
          stream.raw(`data: ${frame(request.rpc.id)}\n\n`);
        },
      });
      const error = await failure(rig.callTicking(), "PEER_BAD_REPLY");
      assert.match(error.message, message);
      assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${rig.peer.port}.*${TASK_ID}`));
      await rig.peer.allClosed();
    });
  }

  it("stops at an event without end (C30)", async () => {
    await start({
      SendStreamingMessage: (request, response) => {
        openStream(request, response).raw("data: ");
        const flood = (): void => {
          while (!response.destroyed && response.write("x".repeat(65_536)));
          if (!response.destroyed) response.once("drain", flood);
        };
        flood();
      },
    });
    await failure(rig.call(), "PEER_BAD_REPLY");
    await rig.peer.allClosed();
  });

  it("ends a silent stream after timeouts.stream, where a comment counts, and names the task", async () => {
    let stream: ReturnType<typeof openStream> | undefined;
    await start({
      SendStreamingMessage: (request, response) => {
        stream = openStream(request, response);
        stream.frame({ task: working });
      },
    });
    rig.settings = testSettings({ timeouts: { send: 600_000, async: 30_000, stream: 120_000 } });
    let heard = 0;
    const pending = rig.call({ onProgress: () => (heard += 1) });
    const ended = failure(pending, "PEER_TIMEOUT");
    while (heard === 0) await new Promise((resolve) => setImmediate(resolve));
    rig.clock.tick(119_000);
    stream?.raw(": alive\n\n");
    await arrivedAtClient(rig);
    rig.clock.tick(119_000);
    assert.equal(rig.peer.openSockets(), 1);
    rig.clock.tick(2_000);
    const error = await ended;
    assert.match(error.message, new RegExp(`sent nothing for 120 s.*${TASK_ID}.*may still run`));
    await rig.peer.allClosed();
  });

  it("does not end a stream that is silent for 312 s when the limits allow it (C28)", async () => {
    let stream: ReturnType<typeof openStream> | undefined;
    await start({
      SendStreamingMessage: (request, response) => {
        stream = openStream(request, response);
      },
    });
    rig.settings = testSettings({ timeouts: { send: 600_000, async: 30_000, stream: 400_000 } });
    const pending = rig.call();
    await rig.peer.arrived(2);
    await arrivedAtClient(rig);
    rig.clock.tick(312_000);
    stream?.frame({ task: completedTask("late") });
    assert.equal((await pending).text, "late");
  });

  it("ends at the call's own time while it follows a task", async () => {
    await start({
      SendStreamingMessage: cut((_response, stream) => stream.end()),
      SubscribeToTask: (request) => request.socket.destroy(),
      GetTask: (request, response) => sendResult(request, response, working),
    });
    rig.settings = testSettings({ timeouts: { send: 20_000, async: 30_000, stream: 120_000 } });
    const error = await failure(whileTicking(rig.clock, rig.call()), "PEER_TIMEOUT");
    assert.match(error.message, new RegExp(`within 20 s; task ${TASK_ID}`));
    assert.equal(error.metadata.contextId, CONTEXT_ID);
  });
});

/** Lets bytes that the peer has written reach the client. */
async function arrivedAtClient(rig: Rig): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(rig.peer.openSockets() > 0);
}
