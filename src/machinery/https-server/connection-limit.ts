import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  readonly socket: Socket;
  /** Requests whose responses are not yet sent: more than one where a client pipelines. */
  readonly exchanges: Set<Exchange>;
}

/**
 * Limits the connections of a server, so that clients that connect and send nothing cannot lock others out. At the limit, a
 * new connection replaces the one that has waited longest for a complete request. If none is waiting, it replaces one whose
 * response is written but not yet read by the client. A connection with a request in progress, such as a watch, is never
 * closed; if all have one, the new connection is closed.
 */
export class ConnectionLimit {
  readonly #max: number;
  readonly #hasOtherRequest: (socket: Socket) => boolean;
  /** By peer; longest waiting first. */
  readonly #connections = new Map<string, Connection>();

  /** `hasOtherRequest` knows requests in progress that are not tracked here, such as calls of gRPC. */
  constructor(max: number, hasOtherRequest: (socket: Socket) => boolean = () => false) {
    this.#max = max;
    this.#hasOtherRequest = hasOtherRequest;
  }

  /** Counts a connection, before its TLS handshake if there is one. */
  accept(socket: Socket): void {
    const peer = peerOf(socket);
    if (peer === undefined) {
      socket.destroy(); // reset by the client before it was accepted
      return;
    }
    if (this.#connections.size >= this.#max && !this.#makeRoom()) {
      socket.destroy();
      return;
    }
    const connection: Connection = { socket, exchanges: new Set() };
    this.#connections.set(peer, connection);
    socket.once("close", () => {
      if (this.#connections.get(peer) === connection) this.#connections.delete(peer);
    });
  }

  /** Ends every connection, also those whose TLS handshake is not complete, which the HTTP server does not know yet. */
  endAll(): void {
    for (const { socket } of this.#connections.values()) socket.destroy();
  }

  /** Protects the connection of a request until its response is sent. */
  track(request: IncomingMessage, response: ServerResponse): void {
    const peer = peerOf(request.socket);
    const connection = peer === undefined ? undefined : this.#connections.get(peer);
    if (peer === undefined || connection === undefined) return;
    const exchange = { request, response };
    connection.exchanges.add(exchange);
    response.once("close", () => {
      connection.exchanges.delete(exchange);
      if (this.#connections.get(peer) !== connection) return;
      this.#connections.delete(peer); // moves it to the end: it starts to wait now
      this.#connections.set(peer, connection);
    });
  }

  #makeRoom(): boolean {
    let leaving: readonly [string, Connection] | undefined;
    for (const entry of this.#connections) {
      const phase = phaseOf(entry[1]);
      if (phase === "InProgress" || this.#hasOtherRequest(entry[1].socket)) continue;
      if (phase === "Waiting") {
        leaving = entry;
        break;
      }
      leaving ??= entry;
    }
    if (leaving === undefined) return false;
    const [peer, { socket }] = leaving;
    this.#connections.delete(peer);
    socket.destroy();
    return true;
  }
}

/** `Waiting`: for a whole request. `Answered`: the response is written, but not yet sent, since the client reads slowly. */
type Phase = "Waiting" | "InProgress" | "Answered";

function phaseOf({ exchanges }: Connection): Phase {
  let phase: Phase = "Waiting";
  for (const { request, response } of exchanges) {
    if (!request.complete) continue;
    if (!response.writableEnded) return "InProgress";
    phase = "Answered";
  }
  return phase;
}

/** Identifies a connection of a server: a TLS socket has the same addresses as the socket below it. */
function peerOf({ remoteAddress, remotePort, localAddress }: Socket): string | undefined {
  if (remoteAddress === undefined) return undefined;
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
