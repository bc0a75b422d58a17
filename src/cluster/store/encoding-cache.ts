/** How many bytes of encoded objects a store keeps by default. */
const defaultMaxBytes = 128 * 2 ** 20;

/** A record that holds its encoding. */
interface Encoded {
  release(): void;
}

/** Limits the memory of encoded objects: beyond the limit the oldest encodings are released. */
export class EncodingCache {
  readonly #maxBytes: number;
  readonly #sizes = new Map<Encoded, number>();
  #bytes = 0;

  constructor(maxBytes: number = defaultMaxBytes) {
    this.#maxBytes = maxBytes;
  }

  add(record: Encoded, bytes: number): void {
    this.#sizes.set(record, bytes);
    this.#bytes += bytes;
    for (const oldest of this.#sizes.keys()) {
      if (this.#bytes <= this.#maxBytes || oldest === record) return;
      oldest.release();
    }
  }

  delete(record: Encoded): void {
    this.#bytes -= this.#sizes.get(record) ?? 0;
    this.#sizes.delete(record);
  }
}
