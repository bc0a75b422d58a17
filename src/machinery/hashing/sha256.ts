import { utf8Bytes } from "../../api/bytes.ts";

// SHA-256 (FIPS 180-4) without Node: digests have to be the same in a browser, whose own are made asynchronously.

/** A digest that is made from one part after the other. */
export interface Hash {
  update(part: string | Uint8Array): Hash;
  /** Ends it. */
  digest(): Uint8Array;
}

const blockBytes = 64;

/** The first 32 bits of the fractional parts of the square and cube roots of the first primes. */
function fractions(count: number, root: (prime: number) => number): Int32Array {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++) {
    if (isPrime(candidate)) found.push((root(candidate) % 1) * 2 ** 32);
  }
  return Int32Array.from(found, (each) => Math.floor(each) | 0);
}

function isPrime(candidate: number): boolean {
  for (let divisor = 2; divisor * divisor <= candidate; divisor++)
    if (candidate % divisor === 0) return false;
  return true;
}

const beginning = fractions(8, Math.sqrt);
const roundConstants = fractions(64, Math.cbrt);

const rotated = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** Begins a digest. */
export function sha256(): Hash {
  const state = new DataView(new ArrayBuffer(32));
  for (const [index, word] of beginning.entries()) state.setInt32(index * wordBytes, word);
  const block = new Uint8Array(blockBytes);
  const blockWords = new DataView(block.buffer);
  const words = new DataView(new ArrayBuffer(64 * wordBytes));
  let filled = 0;
  let total = 0;
  const add = (bytes: Uint8Array) => {
    for (let from = 0; from < bytes.length;) {
      const part = bytes.subarray(from, from + blockBytes - filled);
      block.set(part, filled);
      filled += part.length;
      from += part.length;
      if (filled < blockBytes) return;
      mixBlock(state, blockWords, words);
      filled = 0;
    }
  };
  const hash: Hash = {
    update(part) {
      const bytes = typeof part === "string" ? utf8Bytes(part) : part;
      total += bytes.length;
      add(bytes);
      return hash;
    },
    digest() {
      const padding = new Uint8Array(((119 - filled) % blockBytes) + 9);
      padding[0] = 0x80;
      const end = new DataView(padding.buffer, padding.length - 8);
      end.setUint32(0, Math.floor(total / 2 ** 29));
      end.setUint32(4, total * 8);
      add(padding);
      return new Uint8Array(state.buffer.slice(0));
    },
  };
  return hash;
}

// Words are read by `DataView`, which has no holes: a reader of arrays would have to ask for each whether it is there.
const wordBytes = 4;
const rounds = new DataView(roundConstants.buffer);
const isLittle = new Uint8Array(Int32Array.of(1).buffer)[0] === 1;

function mixBlock(state: DataView, block: DataView, words: DataView): void {
  spread(block, words);
  let a = state.getInt32(0);
  let b = state.getInt32(4);
  let c = state.getInt32(8);
  let d = state.getInt32(12);
  let e = state.getInt32(16);
  let f = state.getInt32(20);
  let g = state.getInt32(24);
  let h = state.getInt32(28);
  for (let at = 0; at < 64 * wordBytes; at += wordBytes) {
    const chosen = (e & f) ^ (~e & g);
    const mixedE = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const first = (h + mixedE + chosen + rounds.getInt32(at, isLittle) + words.getInt32(at)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const mixedA = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + mixedA + majority) | 0;
  }
  const mixed = [a, b, c, d, e, f, g, h];
  for (let index = 0; index < 8; index++)
    state.setInt32(index * wordBytes, state.getInt32(index * wordBytes) + (mixed[index] ?? 0));
}

/** Makes the words of all rounds from the sixteen of a block. */
function spread(block: DataView, words: DataView): void {
  for (let at = 0; at < blockBytes; at += wordBytes) words.setInt32(at, block.getInt32(at));
  for (let at = blockBytes; at < 64 * wordBytes; at += wordBytes) {
    const early = words.getInt32(at - 15 * wordBytes);
    const late = words.getInt32(at - 2 * wordBytes);
    const small = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const large = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    words.setInt32(
      at,
      words.getInt32(at - 16 * wordBytes) + small + words.getInt32(at - 7 * wordBytes) + large,
    );
  }
}

/** The digest of a message that only who has the key can make (RFC 2104). */
export function hmacSha256(key: string | Uint8Array, message: string | Uint8Array): Uint8Array {
  const bytes = typeof key === "string" ? utf8Bytes(key) : key;
  const short = bytes.length > blockBytes ? sha256().update(bytes).digest() : bytes;
  const padded = (mask: number) =>
    Uint8Array.from({ length: blockBytes }, (_, at) => (short[at] ?? 0) ^ mask);
  const inner = sha256().update(padded(0x36)).update(message).digest();
  return sha256().update(padded(0x5c)).update(inner).digest();
}
