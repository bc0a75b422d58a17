import { joinedBytes, utf8Bytes } from "../../../../api/bytes.ts";
import { Bytes, Uint } from "../values/cel-value.ts";

const named: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
};

const largestInt = 2n ** 63n - 1n;
const largestUint = 2n ** 64n - 1n;

/** Reads a whole number; `undefined` if it has no 64 bits. */
export function readInt(text: string, isNegative: boolean): bigint | undefined {
  const value = isNegative ? -BigInt(text) : BigInt(text);
  return value > largestInt || value < -largestInt - 1n ? undefined : value;
}

export function readUint(text: string): Uint | undefined {
  const value = BigInt(text.slice(0, -1));
  return value > largestUint ? undefined : new Uint(value);
}

/** Reads the text of a string token; `undefined` if an escape is no character. */
export function readString(token: string): string | undefined {
  const { isRaw, body } = unquoted(token);
  if (isRaw) return body;
  let text = "";
  for (const { code, literal } of partsOf(body)) {
    if (literal !== undefined) text += literal;
    else if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
    else text += String.fromCodePoint(code);
  }
  return text;
}

/** Reads the bytes of a token such as `b'a'`: escapes of numbers are bytes, all else is UTF-8. */
export function readBytes(token: string): Bytes {
  const { isRaw, body } = unquoted(token.slice(1));
  if (isRaw) return new Bytes(utf8Bytes(body));
  const parts = partsOf(body).map(({ code, literal, isByte }) =>
    literal === undefined && isByte ? Uint8Array.of(code) : utf8Bytes(literal ?? characterOf(code)),
  );
  return new Bytes(joinedBytes(parts));
}

function characterOf(code: number): string {
  return code > 0x10ffff ? "\uFFFD" : String.fromCodePoint(code);
}

function unquoted(token: string): { readonly isRaw: boolean; readonly body: string } {
  const isRaw = /^[rR]/.test(token);
  const text = isRaw ? token.slice(1) : token;
  const width = text.startsWith('"""') || text.startsWith("'''") ? 3 : 1;
  return { isRaw, body: text.slice(width, -width) };
}

interface Part {
  readonly code: number;
  /** The text, where there is no escape. */
  readonly literal?: string;
  readonly isByte: boolean;
}

function partsOf(body: string): readonly Part[] {
  const pattern =
    /\\(?:[xX]([0-9a-fA-F]{2})|(?:U([0-9a-fA-F]{8})|u([0-9a-fA-F]{4}))|([0-3][0-7]{2})|(.))|[^\\]+/gsu;
  return Array.from(body.matchAll(pattern), partOf);
}

function partOf([whole, hex, long, short, octal, letter]: RegExpMatchArray): Part {
  if (hex !== undefined) return { code: Number.parseInt(hex, 16), isByte: true };
  if (octal !== undefined) return { code: Number.parseInt(octal, 8), isByte: true };
  if (letter !== undefined) return { code: named[letter] ?? letter.codePointAt(0) ?? 0, isByte: false };
  const point = long ?? short;
  if (point !== undefined) return { code: Number.parseInt(point, 16), isByte: false };
  return { code: 0, literal: whole, isByte: false };
}
