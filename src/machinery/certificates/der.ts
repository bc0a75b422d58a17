// Just enough of DER (X.690) to write a certificate: each function encodes one value.

function tagged(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => tagged(0x30, ...items);
export const set = (...items: readonly Uint8Array[]): Buffer => tagged(0x31, ...items);
export const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.from([value ? 0xff : 0]));
export const octets = (content: Uint8Array): Buffer => tagged(0x04, content);
export const derUtf8Text = (text: string): Buffer => tagged(0x0c, Buffer.from(text));
/** `[n]` around a complete value. */
export const explicit = (number: number, value: Uint8Array): Buffer => tagged(0xa0 | number, value);
/** `[n]` in place of a value's own tag. */
export const implicit = (number: number, content: Uint8Array): Buffer => tagged(0x80 | number, content);

/** A non-negative integer from its bytes. */
export function derInteger(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const significant = first === -1 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first));
  const isNegativeLooking = ((significant[0] ?? 0) & 0x80) !== 0;
  return tagged(0x02, isNegativeLooking ? Buffer.concat([Buffer.from([0]), significant]) : significant);
}

export const bits = (content: Uint8Array, unused = 0): Buffer => tagged(0x03, Buffer.from([unused]), content);

/** An object identifier from its dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(number: number): number[] {
  const bytes = [number % 128];
  for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128))
    bytes.unshift((left % 128) | 0x80);
  return bytes;
}

/** GeneralizedTime from `2026-01-01T00:00:00Z`; before 2050 the standard requires UTCTime, with two-digit years. */
export function derTime(text: string): Buffer {
  const digits = `${text.replaceAll(/[-:TZ]/g, "")}Z`;
  return digits < "2050" ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
}
