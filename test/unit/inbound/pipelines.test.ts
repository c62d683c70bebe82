import assert from "node:assert/strict";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { createPipelines, MAX_AT_WORK, MAX_IN_LINE } from "../../../src/inbound/pipelines.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

function createRig() {
  const clock = createFakeClock();
  const begun: ServerResponse[] = [];
  const pipelines = createPipelines(clock, (_request, response) => begun.push(response));
  return {
    clock,
    begun,
    pipelines,
    send(socket: Socket, count: number): void {
      for (let sent = 0; sent < count; sent++) {
        const request = new IncomingMessage(socket);
        pipelines.take(request, new ServerResponse(request));
      }
    },
  };
}

describe("pipelined requests", () => {
  it("begin at once when they are alone on their connection, each on its own", () => {
    const { begun, send, clock } = createRig();
    send(new Socket(), 1);
    send(new Socket(), 1);
    assert.equal(begun.length, 2);
    assert.equal(clock.pending(), 0);
  });

  it("begin one per turn", () => {
    const { begun, send, clock } = createRig();
    send(new Socket(), 3);
    assert.equal(begun.length, 1);
    assert.equal(clock.pending(), 1);
    clock.flush();
    assert.equal(begun.length, 3);
    assert.equal(clock.pending(), 0);
  });

  it("are at work together up to a limit, and go on when one has left", () => {
    const { begun, send, clock } = createRig();
    send(new Socket(), MAX_AT_WORK + 2);
    clock.flush();
    assert.equal(begun.length, MAX_AT_WORK);
    begun[0]?.emit("close");
    clock.flush();
    assert.equal(begun.length, MAX_AT_WORK + 1);
  });

  it("begin no more when their connection has gone", () => {
    const { begun, send, clock } = createRig();
    const socket = new Socket();
    send(socket, 3);
    socket.destroy();
    clock.flush();
    assert.equal(begun.length, 1);
    assert.equal(clock.pending(), 0);
  });

  it("cut their connection when more wait than may", () => {
    const { send, clock } = createRig();
    const socket = new Socket();
    send(socket, MAX_AT_WORK);
    clock.flush();
    send(socket, MAX_IN_LINE);
    assert.equal(socket.destroyed, false);
    send(socket, 1);
    assert.equal(socket.destroyed, true);
    clock.flush();
  });
});
