import type { Server as HttpServer } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { AddressInfo, Server as NetServer } from "node:net";

type Server = HttpServer | HttpsServer;

/** Binds a server to a port, 0 for any free one, and returns the port; throws one sentence with the cause. */
export function bindServer(server: NetServer, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "it is in use" : error.message;
      reject(new Error(`cannot listen on port ${port} of ${host}: ${why}`, { cause: error }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Ends every connection of a server; resolves when its port is free again. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/**
 * Options of Node's HTTP servers: how long a client may take to send a request, from the connection or the first byte on.
 * Connections that are idle between requests are ended by `keepAliveTimeout` instead, and the time of the answer does not
 * count.
 */
export const requestDeadlines = {
  /** For the head. */
  headersTimeout: 10_000,
  /** For the head and the body. */
  requestTimeout: 60_000,
  connectionsCheckingInterval: 2000,
} as const;
