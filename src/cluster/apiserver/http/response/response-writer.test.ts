import type { ServerResponse } from "node:http";
import { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { VirtualClock } from "../../../../machinery/clock/virtual-clock.ts";
import { ResponseWriter } from "./response-writer.ts";

/** A response whose client reads a chunk whenever it is told to. */
function readByHand() {
  const written: Buffer[] = [];
  let read: (() => void) | undefined;
  const response = new Writable({
    highWaterMark: 16 * 1024,
    write(chunk: Buffer, _encoding, taken) {
      written.push(chunk);
      read = taken;
    },
  });
  return { response: response as unknown as ServerResponse, written, read: () => read?.() };
}

/** Lets the client read until the promise resolves. */
async function readUntil<T>(promise: Promise<T>, read: () => void): Promise<T> {
  const state = { isOver: false };
  void promise.then(() => (state.isOver = true));
  while (!state.isOver) {
    read();
    await nextTurn();
  }
  return promise;
}

test("a client that does not read holds one slice of a large object, not all of it", async () => {
  const { response, written, read } = readByHand();
  const writer = new ResponseWriter(response, new VirtualClock());
  const large = Buffer.alloc(2 ** 20, "x");
  writer.add(Buffer.from("{"), large, Buffer.from("}"));
  const flushed = writer.flush();
  for (let round = 0; round < 5; round++) await nextTurn();
  expect(Buffer.concat(written).byteLength + response.writableLength).toBeLessThanOrEqual(2 * 64 * 1024);
  expect(await readUntil(flushed, read)).toBe(true);
  expect(Buffer.concat(written).equals(Buffer.concat([Buffer.from("{"), large, Buffer.from("}")]))).toBe(
    true,
  );
});

test("many small chunks are written together, in order", async () => {
  const { response, written, read } = readByHand();
  const writer = new ResponseWriter(response, new VirtualClock());
  const chunks = Array.from({ length: 500 }, (_, index) => Buffer.alloc(500, String(index % 10)));
  writer.add(...chunks);
  await readUntil(writer.flush(), read);
  expect(written.length).toBe(4);
  expect(Buffer.concat(written).equals(Buffer.concat(chunks))).toBe(true);
});

test("a response ends when the client has read enough for its last slice to be written", async () => {
  const { response, written, read } = readByHand();
  const writer = new ResponseWriter(response, new VirtualClock());
  const large = Buffer.alloc(200_000, "x");
  writer.add(large);
  const ended = writer.end();
  for (let round = 0; round < 5; round++) await nextTurn();
  expect(response.writableEnded).toBe(false);
  await readUntil(ended, read);
  expect(response.writableEnded).toBe(true);
  expect(Buffer.concat(written).equals(large)).toBe(true);
});
