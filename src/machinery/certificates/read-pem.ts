import { base64Bytes } from "../../api/base64.ts";

/** A block of a PEM text (RFC 7468). */
export interface PemBlock {
  /** `CERTIFICATE`, for example. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

const block = /-----BEGIN ([A-Z0-9 ]*)-----([A-Za-z0-9+/=\s]*)-----END \1-----/g;

/** Returns the blocks of a PEM text; what is between them is explanation. */
export function pemBlocks(text: Uint8Array): readonly PemBlock[] {
  const found = new TextDecoder("latin1").decode(text).matchAll(block);
  return Array.from(found, ([, type = "", content = ""]) => ({ type, bytes: base64Bytes(content) }));
}

const sequenceTag = 0x30;

/** Returns the values of a DER sequence (X.690) that is all there is; `undefined` when it is none. */
export function elementsOf(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const whole = elementAt(bytes, 0);
  if (whole === undefined || whole.end !== bytes.length || bytes[0] !== sequenceTag) return undefined;
  const elements: Uint8Array[] = [];
  for (let at = whole.content; at < bytes.length;) {
    const element = elementAt(bytes, at);
    if (element === undefined) return undefined;
    elements.push(bytes.subarray(at, element.end));
    at = element.end;
  }
  return elements;
}

/** Returns where the content of a value begins and ends. */
function elementAt(bytes: Uint8Array, at: number) {
  const first = bytes[at + 1];
  if (first === undefined) return undefined;
  const more = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || more > 4) return undefined; // of unknown or impossible length
  let length = more === 0 ? first : 0;
  for (const byte of bytes.subarray(at + 2, at + 2 + more)) length = length * 256 + byte;
  const content = at + 2 + more;
  const end = content + length;
  return end > bytes.length ? undefined : { content, end };
}
