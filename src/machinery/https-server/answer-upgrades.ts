import { type IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import type { Server } from "node:https";
import type { Socket } from "node:net";

/**
 * Passes requests that ask for another protocol to the handler, like any other request: it may answer as usual, or detach
 * the socket of the response and speak that protocol. Returns a function that ends these connections, which the server
 * itself no longer knows.
 */
export function answerUpgrades(servers: readonly Server[], handler: RequestListener): () => void {
  const sockets = new Set<Socket>();
  const unfinished = new WeakMap<Socket, ServerResponse>();
  const answer = (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (head.length > 0) socket.unshift(head);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    // Closes both halves: a client that never ends its half would keep the connection open.
    response.on("finish", () => socket.destroySoon());
    handler(request, response);
  };
  const answerInTurn = (request: IncomingMessage, socket: Socket, head: Buffer) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    const before = unfinished.get(socket);
    if (before === undefined) answer(request, socket, head);
    else if (before.writableEnded) before.on("finish", () => answer(request, socket, head));
    // The server no longer manages the connection, but the previous response still needs it.
    else socket.destroy();
  };
  for (const server of servers) {
    server.on("request", ({ socket }, response) => {
      unfinished.set(socket, response);
      response.on("finish", () => {
        if (unfinished.get(socket) === response) unfinished.delete(socket);
      });
    });
    // The sockets of an HTTPS server are TLS sockets, whatever the general type of the event says.
    server.on("upgrade", (request, socket, head) => answerInTurn(request, socket as Socket, head));
  }
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
