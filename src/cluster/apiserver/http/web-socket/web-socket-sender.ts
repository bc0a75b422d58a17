import type { Socket } from "node:net";
import type { Clock } from "../../../../machinery/clock/clock.ts";
import { yieldIfDue } from "../../../../machinery/clock/run-in-steps.ts";
import { waitForDrain } from "../../../../machinery/https-server/wait-for-drain.ts";
import { slicesOf } from "../response/response-writer.ts";
import { frameHead, opcodes } from "./frames.ts";

/** A frame of the protocol itself, and whether the connection ends with it. */
interface ControlFrame {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/**
 * Sends frames over a socket. A large message is written in slices, as the client reads them; pongs wait until it is
 * complete, since the bytes of a frame must follow each other.
 */
export class WebSocketSender {
  readonly #socket: Socket;
  readonly #clock: Clock;
  #isSendingText = false;
  #waiting: ControlFrame[] = [];

  constructor(socket: Socket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
  }

  /** Sends a text message; resolves when the socket takes more, with `false` when the client has disconnected. */
  async sendText(chunks: readonly Uint8Array[]): Promise<boolean> {
    const length = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
    this.#isSendingText = true;
    for (const slice of slicesOf([frameHead(opcodes.text, length), ...chunks])) {
      if (!this.#socket.writable) return false;
      this.#socket.write(slice);
      await yieldIfDue(this.#clock);
      if (!(await waitForDrain(this.#socket, this.#clock))) return false;
    }
    this.#isSendingText = false;
    for (const frame of this.#waiting.splice(0)) this.#write(frame);
    return this.#socket.writable;
  }

  /** Answers a ping; of those that arrive during a message only the last, which the protocol allows. */
  pong(payload: Buffer): void {
    this.#waiting = this.#waiting.filter(({ isLast }) => isLast);
    this.#send({ bytes: controlFrame(opcodes.pong, payload), isLast: false });
  }

  /** Sends the reason why the connection ends, and ends it. */
  close(code: number): void {
    const reason = Buffer.from([code >> 8, code & 255]);
    this.#send({ bytes: controlFrame(opcodes.close, reason), isLast: true });
  }

  #send(frame: ControlFrame): void {
    if (this.#isSendingText) this.#waiting.push(frame);
    else this.#write(frame);
  }

  #write({ bytes, isLast }: ControlFrame): void {
    if (!this.#socket.writable) return;
    this.#socket.write(bytes);
    if (isLast) this.#socket.end();
  }
}

function controlFrame(opcode: number, payload: Buffer): Buffer {
  return Buffer.concat([frameHead(opcode, payload.byteLength), payload]);
}
