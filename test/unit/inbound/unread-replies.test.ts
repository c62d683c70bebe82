import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { createUnreadReplies } from "../../../src/inbound/unread-replies.ts";

/** An exchange on a connection, and the way to end it. */
function exchangeOn(socket: Socket) {
  let ended: (() => void) | undefined;
  const exchange = {
    request: new IncomingMessage(socket),
    onEnd: (listener: () => void): void => {
      ended = listener;
    },
  };
  return { exchange, end: () => ended?.() };
}

describe("replies that wait for their readers", () => {
  it("cut nobody up to the limit, and leave room again when they have left", () => {
    const unread = createUnreadReplies(100);
    const socket = new Socket();
    for (let sent = 0; sent < 10; sent++) {
      const { exchange, end } = exchangeOn(socket);
      unread.add(exchange, 100);
      end();
    }
    assert.equal(socket.destroyed, false);
  });

  it("cut the connection that leaves most unread, not the one that asks last", () => {
    const unread = createUnreadReplies(100);
    const [greedy, modest] = [new Socket(), new Socket()];
    for (let sent = 0; sent < 9; sent++) unread.add(exchangeOn(greedy).exchange, 10);
    unread.add(exchangeOn(modest).exchange, 20);
    assert.deepEqual([greedy.destroyed, modest.destroyed], [true, false]);
  });

  it("of a connection that was cut count no more, also not when their ends come later", () => {
    const unread = createUnreadReplies(100);
    const [greedy, modest] = [new Socket(), new Socket()];
    const first = exchangeOn(greedy);
    unread.add(first.exchange, 60);
    const second = exchangeOn(greedy);
    unread.add(second.exchange, 60);
    assert.equal(greedy.destroyed, true);
    const late = exchangeOn(greedy);
    unread.add(late.exchange, 60);
    for (const { end } of [first, second, late]) end();
    unread.add(exchangeOn(modest).exchange, 100);
    assert.equal(modest.destroyed, false);
    unread.add(exchangeOn(modest).exchange, 1);
    assert.equal(modest.destroyed, true);
  });

  it("of a connection that went by itself leave room for others", () => {
    const unread = createUnreadReplies(100);
    const [gone, other] = [new Socket(), new Socket()];
    const exchanges = [exchangeOn(gone), exchangeOn(gone)];
    for (const { exchange } of exchanges) unread.add(exchange, 50);
    gone.destroy();
    for (const { end } of exchanges) end();
    unread.add(exchangeOn(other).exchange, 100);
    assert.equal(other.destroyed, false);
  });
});
