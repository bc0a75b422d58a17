import type { Server as HttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { bindServer } from "../../machinery/https-server/bind-server.ts";
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
  /** Accepts no more connections. */
  close(): void;
  /** Ends the connections that are left. */
  destroy(): void;
}

/** Listens on one port for HTTP/1.1, gRPC or both: the first bytes of a connection say which it is. */
export async function servePort(options: PortOptions): Promise<ServedPort> {
  const sockets = new Set<Socket>();
  const server =
    options.tls === undefined ? createServer({ noDelay: true }) : tlsServer(options.tls, options);
  server.on(options.tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    route(socket, options);
  });
  const port = await bind(server, options);
  return {
    port,
    close: () => void server.close(),
    destroy: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function tlsServer(
  { context, renewed }: NonNullable<PortOptions["tls"]>,
  { http, grpc }: PortOptions,
): Server {
  const server = createTlsServer({
    ...context,
    noDelay: true,
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

/** How every HTTP/2 connection begins; no method of HTTP/1.1 is called so. */
const http2Preface = "PRI * HTTP/2.0";

function route(socket: Socket, { http, grpc, tls }: PortOptions): void {
  const hasCertificate = tls?.context.ca === undefined ? undefined : (socket as TLSSocket).authorized;
  Object.assign(socket, { asksForCertificate: hasCertificate !== undefined });
  const toHttp = () => (http === undefined ? socket.destroy() : http.emit("connection", socket));
  if (grpc === undefined) {
    toHttp();
    return;
  }
  if (http === undefined) {
    grpc.accept(socket, hasCertificate);
    return;
  }
  socket.once("data", (first: Buffer) => {
    socket.pause();
    socket.unshift(first);
    const text = first.subarray(0, http2Preface.length).toString("latin1");
    if (http2Preface.startsWith(text)) grpc.accept(socket, hasCertificate);
    else toHttp();
    // After the listeners are in place.
    process.nextTick(() => socket.resume());
  });
}
