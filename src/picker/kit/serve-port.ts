import type { Server as HttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { bindServer, requestDeadlines } from "../../machinery/https-server/bind-server.ts";
import { ConnectionLimit } from "../../machinery/https-server/connection-limit.ts";
import type { GrpcEndpoint } from "./grpc-endpoint.ts";
import type { TlsContext } from "./serving-tls.ts";

export interface PortOptions {
  /** Default: all addresses of the machine. */
  readonly host: string | undefined;
  readonly port: number;
  /** Absent: HTTP is not served on this port. */
  readonly http?: HttpServer | undefined;
  /** Absent: gRPC is not served on this port. */
  readonly grpc?: GrpcEndpoint | undefined;
  readonly tls?: { readonly context: TlsContext; readonly renewed: () => TlsContext | undefined } | undefined;
}

export interface ServedPort {
  readonly port: number;
  /** Accepts no more connections; resolves when those that there are have ended. */
  close(): Promise<void>;
  /** Ends the connections that are left when what they are sent is sent. */
  finish(): void;
  /** Ends the connections that are left. */
  destroy(): void;
}

/** A controller has one for each request in progress over HTTP, and one for all over gRPC. */
const maxConnections = 512;

/** Listens on one port for HTTP/1.1, gRPC or both: the first bytes of a connection say which it is. */
export async function servePort(options: PortOptions): Promise<ServedPort> {
  const accepted = new Set<Socket>();
  const sockets = new Set<Socket>();
  const server =
    options.tls === undefined ? createServer({ noDelay: true }) : tlsServer(options.tls, options);
  const { http, grpc } = options;
  const connections = new ConnectionLimit(maxConnections, (socket) => grpc?.hasCall(socket) ?? false);
  server.on("connection", (socket: Socket) => {
    keep(socket, accepted);
    connections.accept(socket);
  });
  http?.on("request", (request, response) => connections.track(request, response));
  server.on(options.tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
    keep(socket, sockets);
    socket.on("error", () => socket.destroy());
    route(socket, options);
  });
  const port = await bind(server, options);
  return {
    port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
    finish: () => sockets.forEach((socket) => socket.destroySoon()),
    // Includes connections that never completed their TLS handshake.
    destroy: () => accepted.forEach((socket) => socket.destroy()),
  };
}

function keep(socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket);
  socket.on("close", () => sockets.delete(socket));
}

/** How long a connection may take to send the bytes that identify its protocol. */
const patienceMs = requestDeadlines.headersTimeout;

function tlsServer(
  { context, renewed }: NonNullable<PortOptions["tls"]>,
  { http, grpc }: PortOptions,
): Server {
  const server = createTlsServer({
    ...context,
    noDelay: true,
    handshakeTimeout: patienceMs,
    requestCert: context.ca !== undefined,
    rejectUnauthorized: false, // probes of the kubelet have no certificate; questions are refused one by one
    ALPNProtocols: [...(grpc === undefined ? [] : ["h2"]), ...(http === undefined ? [] : ["http/1.1"])],
  });
  // Before the handshake, which uses the context of the server at that moment.
  server.prependListener("connection", () => {
    const next = renewed();
    if (next !== undefined) server.setSecureContext(next);
  });
  return server;
}

/** All addresses: IPv6 and IPv4 where the machine has both. */
async function bind(server: Server, { host, port }: PortOptions): Promise<number> {
  if (host !== undefined) return bindServer(server, host, port);
  try {
    return await bindServer(server, "::", port);
  } catch (error) {
    const { code } = (error as Error).cause as NodeJS.ErrnoException;
    if (code !== "EAFNOSUPPORT" && code !== "EADDRNOTAVAIL") throw error;
    return bindServer(server, "0.0.0.0", port);
  }
}

/** Connections of ports that ask for a certificate, and whether its CA signed the one that was shown. */
const certificates = new WeakMap<Socket, boolean>();

/** Whether a caller's certificate was verified; `undefined` if the port asks for none. */
export function certificateOf(socket: Socket): boolean | undefined {
  return certificates.get(socket);
}

/** The first bytes of every HTTP/2 connection; no HTTP/1.1 request begins with them. */
const http2Preface = "PRI * HTTP/2.0";
/** With fewer bytes than this, the protocol is undecided: methods such as PROPFIND share the first letters. */
const tellingBytes = 3;

function route(socket: Socket, { http, grpc, tls }: PortOptions): void {
  const hasCertificate = tls?.context.ca === undefined ? undefined : (socket as TLSSocket).authorized;
  if (hasCertificate !== undefined) certificates.set(socket, hasCertificate);
  const toHttp = () => (http === undefined ? socket.destroy() : http.emit("connection", socket));
  if (grpc === undefined) {
    toHttp();
    return;
  }
  if (http === undefined) {
    grpc.accept(socket, hasCertificate);
    return;
  }
  const giveUp = () => socket.destroy();
  socket.setTimeout(patienceMs, giveUp);
  let first = Buffer.alloc(0);
  const decide = (chunk: Buffer) => {
    first = Buffer.concat([first, chunk]);
    const isHttp2 = http2Preface.startsWith(first.subarray(0, http2Preface.length).toString("latin1"));
    if (isHttp2 && first.length < tellingBytes) return;
    socket.off("data", decide);
    socket.setTimeout(0, giveUp);
    socket.pause();
    socket.unshift(first);
    if (isHttp2) grpc.accept(socket, hasCertificate);
    else toHttp();
    // After the listeners are in place.
    process.nextTick(() => socket.resume());
  };
  socket.on("data", decide);
}
