import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Limits the requests of one connection whose responses are not written yet, because each takes memory. */
const maxUnanswered = 1000;

interface Exchange {
  readonly isRead: boolean;
  readonly response: ServerResponse;
  /** Absent once the request is handled. */
  start?: (() => void) | undefined;
}

/**
 * Orders pipelined requests, which a client sends before it has the earlier responses, as HTTP requires: a write waits
 * for all requests before it, a read for all writes before it. Reads run together, and Node sends all responses in the
 * order of the requests.
 */
export function requestsInTurn(
  handler: RequestListener,
  refuse: (response: ServerResponse) => void,
): RequestListener {
  const connections = new WeakMap<Socket, readonly Exchange[]>();
  const unansweredOn = (socket: Socket) =>
    (connections.get(socket) ?? []).filter((exchange) => !exchange.response.writableEnded);
  return (request, response) => {
    const { socket } = request;
    const before = unansweredOn(socket);
    if (before.length >= maxUnanswered) {
      refuse(response);
      return;
    }
    const exchange = { isRead: isRead(request), response, start: () => handler(request, response) };
    const exchanges = [...before, exchange];
    connections.set(socket, exchanges);
    response.on("close", () => {
      if (!socket.destroyed) startNext(unansweredOn(socket));
    });
    startNext(exchanges);
  };
}

const isRead = ({ method }: IncomingMessage) => method === "GET" || method === "HEAD";

/** Starts the first request, and after a read all further reads up to the first write. */
function startNext(exchanges: readonly Exchange[]): void {
  for (const [index, exchange] of exchanges.entries()) {
    if (index > 0 && !exchange.isRead) return;
    const { start } = exchange;
    exchange.start = undefined;
    start?.();
    if (!exchange.isRead) return;
  }
}
