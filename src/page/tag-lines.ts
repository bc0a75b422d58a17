const newline = 0x0a;
/** The longest line that is accepted: far longer than any object of an API server. */
const longestLine = 16 * 2 ** 20;

/** Puts a tag before every line of a stream of bytes, wherever its chunks end. */
export class LineTagger {
  readonly #tag: Uint8Array;
  /** The beginning of a line that has not ended. */
  #begun: Uint8Array[] = [];
  #begunBytes = 0;

  constructor(tag: string) {
    this.#tag = Buffer.from(tag);
  }

  /** The lines that the chunk completes; throws when a line is too long to be an object. */
  push(chunk: Uint8Array): Uint8Array {
    const tagged: Uint8Array[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      tagged.push(this.#tag, ...this.#begun, chunk.subarray(start, end + 1));
      this.#begun = [];
      this.#begunBytes = 0;
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
    return Buffer.concat(tagged);
  }

  #hold(rest: Uint8Array): void {
    if (rest.byteLength === 0) return;
    this.#begun.push(rest);
    this.#begunBytes += rest.byteLength;
    if (this.#begunBytes > longestLine) throw new Error(`a line is longer than ${longestLine} bytes`);
  }
}
