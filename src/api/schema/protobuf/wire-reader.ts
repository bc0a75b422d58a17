import { mostValues } from "../../parse-json.ts";

/**
 * Reads untrusted protobuf bytes. Keeps the first error in `error` and then reports the end of the message, so that
 * callers need not check after each call. Throws nothing.
 */
export interface WireReader {
  readonly bytes: Uint8Array;
  position: number;
  /** Where the message that is being read ends. */
  end: number;
  depth: number;
  /** How many fields and items have been read so far, at any depth. */
  fields: number;
  error: string | undefined;
}

/** How a value is laid out on the wire; groups (3, 4) are not in use. */
export const wireType = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Limits nesting; only hostile input of a recursive type exceeds it. */
const deepest = 100;

export function wireReader(bytes: Uint8Array): WireReader {
  return { bytes, position: 0, end: bytes.length, depth: 0, fields: 0, error: undefined };
}

/** Whether the current message has another field. */
export function hasMore(reader: WireReader): boolean {
  return reader.error === undefined && reader.position < reader.end;
}

/** Records an error and stops reading; only the first error is kept. */
export function fail(reader: WireReader, error: string): undefined {
  reader.error ??= `proto: ${error}`;
  reader.position = reader.end;
}

const truncated = "unexpected end";

/** A number of up to 49 bits as such, a longer one as the bigint of its 64 bits. */
function readVarint(reader: WireReader): number | bigint {
  let value = 0;
  let scale = 1;
  for (let count = 0; count < 7; count++) {
    const byte = nextByte(reader);
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
    scale *= 0x80;
  }
  return readLongVarint(reader, value);
}

function readLongVarint(reader: WireReader, first49: number): bigint {
  let value = BigInt(first49);
  for (let shift = 49n; shift < 70n; shift += 7n) {
    const byte = nextByte(reader);
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return BigInt.asUintN(64, value);
  }
  fail(reader, "integer overflow");
  return 0n;
}

function nextByte(reader: WireReader): number {
  if (reader.position >= reader.end) {
    fail(reader, truncated);
    return 0;
  }
  const byte = reader.bytes[reader.position] ?? 0;
  reader.position += 1;
  return byte;
}

/** Counts fields, or items of a packed list; too many are an error. */
export function countFields(reader: WireReader, count: number): void {
  reader.fields += count;
  if (reader.fields > mostValues) fail(reader, `more than ${mostValues} fields`);
}

/** The number and wire type of the next field. */
export function readTag(reader: WireReader): { readonly field: number; readonly type: number } {
  const tag = Number(readVarint(reader));
  const field = Math.floor(tag / 8);
  if (field < 1 || field >= 2 ** 29) fail(reader, `illegal tag ${field}`);
  countFields(reader, 1);
  return { field, type: tag % 8 };
}

export function readBool(reader: WireReader): boolean {
  return Number(readVarint(reader)) !== 0;
}

export function readInt32(reader: WireReader): number {
  const value = readVarint(reader);
  return typeof value === "number" ? value | 0 : Number(BigInt.asIntN(32, value));
}

/** Reads an integer that a number holds exactly; others are errors, not rounded. */
export function readInt64(reader: WireReader): number {
  const value = readVarint(reader);
  if (typeof value === "number") return value;
  const exact = BigInt.asIntN(64, value);
  const number = Number(exact);
  if (!Number.isSafeInteger(number))
    fail(reader, `integer ${exact}: beyond ±${Number.MAX_SAFE_INTEGER} is not supported`);
  return number;
}

export function readDouble(reader: WireReader): number {
  const start = take(reader, 8);
  if (start === undefined) return 0;
  const view = new DataView(reader.bytes.buffer, reader.bytes.byteOffset + start, 8);
  return view.getFloat64(0, true);
}

/** Moves past a number of bytes; `undefined` when fewer are left. */
function take(reader: WireReader, length: number): number | undefined {
  const start = reader.position;
  if (length > reader.end - start) return fail(reader, truncated);
  reader.position = start + length;
  return start;
}

/** The bytes of a length-delimited field, as a view. */
export function readBytes(reader: WireReader): Uint8Array {
  const start = take(reader, Number(readVarint(reader)));
  return start === undefined ? new Uint8Array() : reader.bytes.subarray(start, reader.position);
}

// A byte order mark is part of the text here, and bad UTF-8 becomes what Go's JSON makes of it.
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

export function readString(reader: WireReader): string {
  return utf8.decode(readBytes(reader));
}

/** Reads a nested message with `read`, which cannot read past its end. */
export function readNested<T>(reader: WireReader, read: () => T): T | undefined {
  const length = Number(readVarint(reader));
  if (reader.depth >= deepest) return fail(reader, "exceeded max depth");
  if (length > reader.end - reader.position) return fail(reader, truncated);
  const outer = reader.end;
  reader.end = reader.position + length;
  reader.depth += 1;
  const value = read();
  reader.position = reader.end;
  reader.end = outer;
  reader.depth -= 1;
  return value;
}

/** Skips a field. */
export function skipField(reader: WireReader, type: number): void {
  if (type === wireType.varint) readVarint(reader);
  else if (type === wireType.fixed64) take(reader, 8);
  else if (type === wireType.fixed32) take(reader, 4);
  else if (type === wireType.bytes) readBytes(reader);
  else fail(reader, `wire type ${type} is not supported`);
}
