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
  const answer = (request: IncomingMessage, socket: Socket, head: Buffer) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    if (head.length > 0) socket.unshift(head);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    // Not only its own half: a client that never ends the other half would keep the connection.
    response.on("finish", () => socket.destroySoon());
    handler(request, response);
  };
  // The sockets of an HTTPS server are TLS sockets, whatever the general type of the event says.
  for (const server of servers)
    server.on("upgrade", (request, socket, head) => answer(request, socket as Socket, head));
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
