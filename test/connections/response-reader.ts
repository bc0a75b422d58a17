import type { Readable } from "node:stream";

export interface RawResponse {
  readonly code: number;
  readonly body: Buffer;
}

/** Reads the responses of a connection one after the other, as slowly as it is told to. */
export class ResponseReader {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  /** `pieceBytes` says how many bytes to take next; `pause` is awaited before. */
  constructor(
    stream: Readable,
    pace: { readonly pieceBytes: () => number; readonly pause: () => Promise<unknown> },
  ) {
    this.#source = piecesOf(stream, pace);
  }

  async next(): Promise<RawResponse> {
    const head = (await this.#until("\r\n\r\n")).toString("latin1");
    const code = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length !== undefined) return { code, body: await this.#take(Number(length)) };
    if (!/\r\ntransfer-encoding: *chunked/i.test(head)) throw new Error(`a response without length: ${head}`);
    const chunks: Buffer[] = [];
    for (;;) {
      const size = Number.parseInt((await this.#until("\r\n")).toString("latin1"), 16);
      const chunk = await this.#take(size + 2);
      if (size === 0) return { code, body: Buffer.concat(chunks) };
      chunks.push(chunk.subarray(0, size));
    }
  }

  /** What comes before the mark, which is dropped. */
  async #until(mark: string): Promise<Buffer> {
    let at = this.#rest.indexOf(mark);
    for (; at === -1; at = this.#rest.indexOf(mark))
      this.#rest = Buffer.concat([this.#rest, await this.#piece()]);
    const found = this.#rest.subarray(0, at);
    this.#rest = this.#rest.subarray(at + mark.length);
    return found;
  }

  async #take(bytes: number): Promise<Buffer> {
    const pieces = [this.#rest];
    for (let has = this.#rest.length; has < bytes;) {
      const piece = await this.#piece();
      pieces.push(piece);
      has += piece.length;
    }
    const all = Buffer.concat(pieces);
    this.#rest = all.subarray(bytes);
    return all.subarray(0, bytes);
  }

  async #piece(): Promise<Buffer> {
    const { done, value } = await this.#source.next();
    if (done === true) throw new Error("the connection was closed before the last response");
    return value;
  }
}

async function* piecesOf(
  stream: Readable,
  { pieceBytes, pause }: { readonly pieceBytes: () => number; readonly pause: () => Promise<unknown> },
): AsyncGenerator<Buffer, undefined> {
  let isOver = false;
  let wake = () => {};
  for (const event of ["readable", "end", "close", "error"])
    stream.on(event, () => {
      isOver ||= event !== "readable";
      wake();
    });
  for (;;) {
    await pause();
    const wanted = Math.min(pieceBytes(), Math.max(1, stream.readableLength));
    const piece = stream.read(wanted) as Buffer | null;
    if (piece !== null) yield piece;
    else if (isOver) return undefined;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
}
