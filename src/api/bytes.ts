// Texts and bytes without `Buffer`, which browsers do not have.

const encoder = new TextEncoder();
// A byte order mark is a character like any other.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The bytes of a text in UTF-8. */
export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The text of bytes in UTF-8; bytes that are none become U+FFFD. */
export function utf8Text(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** How many bytes a text has in UTF-8, without making them. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    length += code < 0x800 ? 1 : 2;
    // The two halves of a pair are four bytes together; a half without the other becomes U+FFFD, which has three.
    if (isHigh(code) && isLow(text.charCodeAt(index + 1))) index++;
  }
  return length;
}

const isHigh = (code: number) => code >= 0xd800 && code < 0xdc00;
const isLow = (code: number) => code >= 0xdc00 && code < 0xe000;

/** Bytes one after the other. */
export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** The order of bytes: the first difference decides, then the length. */
export function compareBytes(left: Uint8Array, right: Uint8Array): number {
  for (let index = 0; index < left.length && index < right.length; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(left.length - right.length);
}

/** Whether bytes are equal; the time of the comparison reveals their length, and nothing else. */
export function areEqualBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let index = 0; index < left.length; index++) difference |= (left[index] ?? 0) ^ (right[index] ?? 0);
  return difference === 0;
}

/** Bytes as hexadecimal digits. */
export function hexText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Bytes as a text in which each is the character of its number. */
export function latin1Text(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += 4096)
    text += String.fromCharCode(...bytes.subarray(from, from + 4096));
  return text;
}
