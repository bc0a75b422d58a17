import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../clock/clock.ts";

/** How long a client may take to read what was written. */
const drainTimeoutMs = 30_000;

/**
 * Waits until the socket has taken what was written; `false` when the client has disconnected. A client that does not
 * read is disconnected, since what it does not read stays in memory.
 */
export function waitForDrain(response: ServerResponse | Socket, clock: Clock): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  if (!response.writableNeedDrain) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = clock.after(drainTimeoutMs, () => response.destroy());
    const settle = (isConnected: boolean) => {
      timer.cancel();
      response.off("drain", onDrain);
      response.off("close", onClose);
      resolve(isConnected);
    };
    const onDrain = () => settle(true);
    const onClose = () => settle(false);
    response.on("drain", onDrain);
    response.on("close", onClose);
  });
}

/**
 * Makes the HTTP parser of a server read a connection as a stream, which keeps what arrives while it is paused. To be called
 * once the server has the connection.
 *
 * Node pauses a connection, and its parser, when a request arrives before the socket has taken the responses before it. By
 * itself a parser reads from the handle of the connection directly, and a handle of TLS does not stop there: it decrypts all
 * records that it has read. A request in two of them, such as any of more than 16 KiB, reaches the paused parser with the
 * second, which fails ("Parse Error: Paused"), and the client finds its connection closed without an answer.
 */
export function readAsStream(socket: Socket): void {
  // A listener makes Node give up the shortcut, and it stays given up.
  socket.on("data", ignore).off("data", ignore);
}

function ignore(): void {}
