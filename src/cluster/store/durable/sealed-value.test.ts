import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sealed, unsealed } from "./sealed-value.ts";

const none = Buffer.alloc(0);

test("the checksum is CRC-32", () => {
  expect(sealed(Buffer.from("1234"), Buffer.from("56789")).readUInt32LE()).toBe(0xcbf43926);
});

test("what was sealed is unsealed, and no single changed byte of key, value or checksum goes unnoticed", () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 }).map((array) => Buffer.from(array));
  fc.assert(
    fc.property(bytes, bytes, fc.nat(), fc.integer({ min: 1, max: 255 }), (key, value, place, change) => {
      const stored = sealed(key, value);
      expect(unsealed(key, stored)).toEqual(value);
      expect(unsealed(changed(key, place, change), stored)).toBeUndefined();
      expect(unsealed(key, changed(stored, place, change))).toBeUndefined();
    }),
  );
});

test("fewer bytes than a checksum are nothing that was sealed", () => {
  expect(unsealed(none, Buffer.from([0, 0, 0]))).toBeUndefined();
});

function changed(bytes: Buffer, place: number, change: number): Buffer {
  const copy = Buffer.from(bytes);
  const at = place % copy.length;
  copy[at] = (copy[at] ?? 0) ^ change;
  return copy;
}
