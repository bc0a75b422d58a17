import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Clock } from "../machinery/clock/clock.ts";
import { bindServer, closeServer, requestDeadlines } from "../machinery/https-server/bind-server.ts";
import { ConnectionLimit } from "../machinery/https-server/connection-limit.ts";
import type { Logger } from "../machinery/log/logger.ts";
import { checkRequest } from "./check-request.ts";
import { splitTarget } from "./forwarded-request.ts";
import { refusal } from "./refusal.ts";
import { sendRefusal } from "./send.ts";
import { serveAsset, serveIndex, serveServiceWorker } from "./serve-bundle.ts";

export interface PlaygroundServerOptions {
  /** 0: any free port. */
  readonly port: number;
  /** The folder of the bundle. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A playground that is being served. */
export interface PlaygroundServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

const host = "127.0.0.1";
const maxConnections = 128;

/** The files of the playground are all there is: it asks no server for anything, and its workers are its own. */
const policy = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self' blob:",
    "style-src 'self'",
    "img-src data:",
    "connect-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; "),
};

/** It keeps the files of the playground, and asks only this server for them. */
const serviceWorkerPolicy = { "Content-Security-Policy": "default-src 'none'; connect-src 'self'" };

/** Serves the files of the playground on loopback; throws one sentence when the port cannot be bound. */
export async function startPlaygroundServer(options: PlaygroundServerOptions): Promise<PlaygroundServer> {
  const { log } = options;
  const server = createServer({ ...requestDeadlines, maxHeaderSize: 16 * 1024, noDelay: true });
  const connections = new ConnectionLimit(maxConnections);
  server.on("connection", (socket) => connections.accept(socket));
  const port = await bindServer(server, host, options.port);
  server.on("request", (request, response) => {
    connections.track(request, response);
    response.on("error", (error) => log.debug("a browser went away", { error }));
    serve({ ...options, port }, request, response).catch((error: unknown) => {
      log.error("a request of the playground failed", { error });
      sendRefusal(response, refusal(503, "ServiceUnavailable", "this file cannot be read; the log says why"));
    });
  });
  return { url: `http://${host}:${port}`, close: () => closeServer(server) };
}

async function serve(
  { port, folder, clock }: PlaygroundServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refused = checkRequest(request, port);
  if (refused !== undefined) {
    sendRefusal(response, refused);
    return;
  }
  const [path] = splitTarget(request.url ?? "/");
  const answer = { response, folder, clock, headers: policy };
  if (path === "/" || path === "/index.html") await serveIndex(answer);
  else if (path === "/service-worker.js")
    await serveServiceWorker({ ...answer, headers: serviceWorkerPolicy });
  else await serveAsset(answer, path);
}
