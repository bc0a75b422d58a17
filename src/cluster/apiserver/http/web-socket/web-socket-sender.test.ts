import type { Socket } from "node:net";
import { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { VirtualClock } from "../../../../machinery/clock/virtual-clock.ts";
import { frameHead, opcodes } from "./frames.ts";
import { WebSocketSender } from "./web-socket-sender.ts";

/** A socket whose client reads a chunk whenever it is told to. */
function readByHand() {
  const written: Buffer[] = [];
  let read: (() => void) | undefined;
  const socket = new Writable({
    highWaterMark: 16 * 1024,
    write(chunk: Buffer, _encoding, taken) {
      written.push(chunk);
      read = taken;
    },
  });
  return {
    socket: socket as unknown as Socket,
    received: () => Buffer.concat(written),
    read: () => read?.(),
  };
}

test("a client that does not read holds a slice of a large message, and its last ping is answered after the message", async () => {
  const { socket, received, read } = readByHand();
  const sender = new WebSocketSender(socket, new VirtualClock());
  const large = Buffer.alloc(2 ** 20, "x");
  const progress = { isSent: false };
  const sent = sender.sendText([large]).finally(() => (progress.isSent = true));
  for (let round = 0; round < 5; round++) await nextTurn();
  expect(received().byteLength + socket.writableLength).toBeLessThanOrEqual(2 * 64 * 1024);
  sender.pong(Buffer.from("first"));
  sender.pong(Buffer.from("second"));
  while (!progress.isSent) {
    read();
    await nextTurn();
  }
  expect(await sent).toBe(true);
  const message = Buffer.concat([frameHead(opcodes.text, large.byteLength), large]);
  const pong = Buffer.concat([frameHead(opcodes.pong, 6), Buffer.from("second")]);
  expect(received().equals(Buffer.concat([message, pong]))).toBe(true);
});
