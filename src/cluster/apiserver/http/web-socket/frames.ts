import { createHash } from "node:crypto";

// RFC 6455, as far as a watch needs it: the server sends text, the client pings and closes.

/** The text that every server appends to the key of a handshake before hashing it. */
const handshakeGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Returns the value of `Sec-WebSocket-Accept` for a client's key. */
export function acceptKey(key: string): string {
  return createHash("sha1").update(`${key}${handshakeGuid}`).digest("base64");
}

/** The kinds of frames a watch uses. */
export const opcodes = { text: 1, close: 8, ping: 9, pong: 10 } as const;

/** A frame from the client. */
export interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** Returns the head of an unmasked, final frame; its payload follows. */
export function frameHead(opcode: number, length: number): Buffer {
  const first = 0x80 | opcode;
  if (length < 126) return Buffer.from([first, length]);
  if (length < 65_536) return Buffer.from([first, 126, length >> 8, length & 255]);
  const head = Buffer.alloc(10);
  head[0] = first;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

/** Limits what the client of a watch may send, which is only pings. */
const maxPayload = 65_536;

export type ReadFrames =
  | { readonly ok: true; readonly frames: readonly Frame[]; readonly rest: Buffer }
  /** The client breaks the protocol; `code` is the status of the close frame. */
  | { readonly ok: false; readonly code: number };

/** Reads the complete frames at the beginning of a client's bytes; `rest` is the beginning of the next one. */
export function readFrames(bytes: Buffer): ReadFrames {
  const frames: Frame[] = [];
  let rest = bytes;
  for (;;) {
    const layout = layoutOf(rest);
    if (layout === undefined) return { ok: true, frames, rest };
    if (!layout.masked) return { ok: false, code: 1002 };
    if (layout.length > maxPayload) return { ok: false, code: 1009 };
    const end = layout.head + 4 + layout.length;
    if (rest.length < end) return { ok: true, frames, rest };
    frames.push({ opcode: layout.opcode, payload: unmasked(rest.subarray(layout.head, end)) });
    rest = rest.subarray(end);
  }
}

/**
 * Returns the opcode, the length of the head without the mask, and the length of the payload; `undefined` while the
 * head is incomplete.
 */
function layoutOf(bytes: Buffer) {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const short = second & 127;
  const head = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < head) return undefined;
  const length =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  return { opcode: first & 15, masked: second > 127, head, length };
}

/** Returns the payload behind its mask of four bytes. */
function unmasked(masked: Buffer): Buffer {
  const payload = Buffer.from(masked.subarray(4));
  for (let at = 0; at < payload.length; at++) payload[at] = (payload[at] ?? 0) ^ (masked[at % 4] ?? 0);
  return payload;
}
