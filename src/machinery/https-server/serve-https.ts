import { type RequestListener, type IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { Socket } from "node:net";
import type { KeyPair } from "../certificates/certificate.ts";
import { bindServer, closeServer, requestDeadlines } from "./bind-server.ts";
import { ConnectionLimit } from "./connection-limit.ts";
import { readAsStream } from "./wait-for-drain.ts";

/** Where a server listens, and the certificate it shows. */
export interface HttpsServerOptions {
  /** Absent: loopback, over IPv4 and, where the machine has it, over IPv6. */
  readonly host?: string | undefined;
  /** 0: any free port. */
  readonly port: number;
  /** The server's certificate and its private key, as PEM. */
  readonly certificate: string;
  readonly key: string;
  /** Called before each connection; returns a new certificate, if there is one, to use from then on. */
  readonly renewed?: (() => KeyPair | undefined) | undefined;
  /** Client certificates signed by this authority count as authorized; the others are still connected. */
  readonly clientAuthority?: string | undefined;
  /** See `ConnectionLimit`. Default: 4,096, room for the watches of an API server. */
  readonly maxConnections?: number | undefined;
}

/** A server that listens. */
export interface HttpsServer {
  readonly port: number;
  readonly url: string;
  /** Ends every connection; resolves when the port is free again. */
  close(): Promise<void>;
}

/** The address a server binds to unless told otherwise: reachable from this machine only. */
export const loopbackAddress = "127.0.0.1";
export const loopback6 = "::1";

// Go keeps idle connections for 90 s; a server that closes them sooner makes a client's next request fail.
const keepAliveMs = 125_000;

/** Listens over TLS. Creates the handler once the address (`host:port`) is known; throws one sentence when the port cannot be bound. */
export async function serveHttps(
  handlerAt: (address: string) => RequestListener,
  options: HttpsServerOptions,
): Promise<HttpsServer> {
  const { host = loopbackAddress, port: wanted, maxConnections = 4096 } = options;
  const connections = new ConnectionLimit(maxConnections);
  const server = tlsServer(options, connections);
  const port = await bindServer(server, host, wanted);
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const answer = handlerAt(address);
  const handler: RequestListener = (request, response) => {
    connections.track(request, response);
    answer(request, response);
  };
  server.on("request", handler); // in the same turn, because the port is already open
  const second = tlsServer(options, connections).on("request", handler);
  const endUpgraded = answerUpgrades([server, second], handler);
  const servers = [server];
  try {
    if (host === loopbackAddress && (await bindLoopback6(second, { port, isAnyPort: wanted === 0 })))
      servers.push(second);
  } catch (error) {
    // Closes what was opened; the caller gets the error.
    await closeServer(server);
    throw error;
  }
  return {
    port,
    url: `https://${address}`,
    close: async () => {
      endUpgraded();
      const closed = servers.map(closeServer);
      connections.endAll();
      await Promise.all(closed);
    },
  };
}

function tlsServer(
  { certificate, key, clientAuthority, renewed }: HttpsServerOptions,
  connections: ConnectionLimit,
): Server {
  const context = {
    minVersion: "TLSv1.2",
    // As in Go, whose servers believe every certificate of a bundle.
    ...(clientAuthority !== undefined && { ca: clientAuthority, allowPartialTrustChain: true }),
  } as const;
  const server = createServer({
    ...context,
    cert: certificate,
    key,
    requestCert: clientAuthority !== undefined,
    rejectUnauthorized: false, // a request may carry a token instead; the handler decides
    ALPNProtocols: ["http/1.1"],
    ...requestDeadlines,
    handshakeTimeout: requestDeadlines.headersTimeout,
    maxHeaderSize: 65_536,
    keepAliveTimeout: keepAliveMs,
    noDelay: true,
    // Detects clients that vanished without closing, such as watchers on a laptop that sleeps.
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  });
  server.timeout = 0;
  // Before the handshake, which uses the context of the server at that moment.
  server.prependListener("connection", () => {
    const pair = renewed?.();
    if (pair !== undefined) server.setSecureContext({ ...context, cert: pair.certificate, key: pair.key });
  });
  server.on("connection", (socket: Socket) => connections.accept(socket));
  server.on("secureConnection", readAsStream);
  return server;
}

/** The error codes of a machine without IPv6. */
const noIpv6: ReadonlySet<string | undefined> = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT"]);

/**
 * Binds IPv6 loopback too, for clients that resolve `localhost` to it; `false` on a machine without IPv6. A chosen port
 * that another program has there is an error, since some clients of `localhost` would reach that program.
 */
async function bindLoopback6(
  server: Server,
  { port, isAnyPort }: { readonly port: number; readonly isAnyPort: boolean },
): Promise<boolean> {
  try {
    await bindServer(server, loopback6, port);
    return true;
  } catch (error) {
    const { code } = (error as Error).cause as NodeJS.ErrnoException;
    if (isAnyPort || noIpv6.has(code)) return false;
    throw error;
  }
}

/**
 * Passes requests that ask for another protocol to the handler, like any other request: it may answer as usual, or detach
 * the socket of the response and speak that protocol. Returns a function that ends these connections, which the server
 * itself no longer knows.
 */
function answerUpgrades(servers: readonly Server[], handler: RequestListener): () => void {
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
