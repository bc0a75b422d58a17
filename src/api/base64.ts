import { trimRight } from "./trim-right.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// A multiple of three, so that chunks need no padding, and few enough for one call.
const chunk = 0x8000 - (0x8000 % 3);

/** Writes bytes as standard base64. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += chunk) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + chunk)));
  }
  return text;
}

/** Returns a base64 text in canonical form, without line breaks and stray bits; `undefined` when it is invalid. */
export function canonicalBase64(text: string): string | undefined {
  const joined = text.replaceAll(/[\r\n]/g, "");
  const body = joined.replace(/={1,2}$/, "");
  if (joined.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(body)) return undefined;
  const padding = joined.length - body.length;
  if (padding === 0) return joined;
  // The last character before padding has two or four bits that belong to no byte.
  const last = alphabet.indexOf(body.slice(-1));
  const kept = alphabet[last & (padding === 1 ? 0b111100 : 0b110000)] ?? "";
  return `${body.slice(0, -1)}${kept}${"=".repeat(padding)}`;
}

/** Writes bytes as the base64 of URLs, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return trimRight(toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_"), "=");
}

// `atob` refuses what Node's reader forgives, and clients of Node's servers rely on that.
const values: ReadonlyMap<number, number> = new Map(
  [alphabet, `${alphabet.slice(0, -2)}-_`].flatMap((letters) =>
    Array.from(letters, (letter, value) => [letter.charCodeAt(0), value]),
  ),
);

const padding = "=".charCodeAt(0);

/** The bytes of a text in either base64. Other characters are skipped, and the text ends at its padding. */
export function base64Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let length = 0;
  let group = 0;
  let bits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === padding) break;
    const value = values.get(code);
    if (value === undefined) continue;
    group = ((group << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length++] = (group >> bits) & 0xff;
  }
  return bytes.slice(0, length);
}
