import type { Socket } from "node:net";

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
