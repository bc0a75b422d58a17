import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { ApiError } from "../client/api-error.ts";
import { bindServer, closeServer, requestDeadlines } from "../https-server/bind-server.ts";
import { ConnectionLimit } from "../https-server/connection-limit.ts";
import { type HttpsServerOptions, serveHttps } from "../https-server/serve-https.ts";
import type { Logger } from "../log/logger.ts";
import type { DelegatedAuthorizer } from "./delegated-authorizer.ts";
import {
  type Diagnostics,
  type DiagnosticsResponse,
  healthResponse,
  isHealth,
  privilegedResponse,
} from "./diagnostics.ts";

export interface DiagnosticsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves diagnostics to other machines over TLS; everything but health requires authorization. */
export interface SecureServing extends Pick<HttpsServerOptions, "certificate" | "key" | "renewed"> {
  /** The IP address to listen on. */
  readonly address: string;
  readonly authorize: DelegatedAuthorizer;
}

export interface DiagnosticsServerOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly log: Logger;
  /** Absent: plain HTTP on loopback only, without credentials. */
  readonly secure?: SecureServing | undefined;
}

/** Limits connections; a scraper and a kubelet need two each. */
const maxConnections = 128;

const host = "127.0.0.1";
const base = `http://${host}`;
/** A request for any other name comes from a web page that resolves its own name to this machine (DNS rebinding). */
const servedHosts: ReadonlySet<string> = new Set([host, "localhost", "[::1]"]);

/** Serves health, metrics and decisions. */
export async function serveDiagnostics(
  diagnostics: Diagnostics,
  { port, log, secure }: DiagnosticsServerOptions,
): Promise<DiagnosticsServer> {
  if (secure !== undefined) {
    const { address, authorize, ...certificate } = secure;
    const listener = listenerOf(diagnostics, log, (request, path) => refuseBy(authorize, request, path));
    return serveHttps(() => listener, { host: address, port, maxConnections, ...certificate });
  }
  const server = createServer(requestDeadlines, listenerOf(diagnostics, log, refuseForeignHost));
  const connections = new ConnectionLimit(maxConnections);
  server.on("connection", (socket) => connections.accept(socket));
  server.on("request", (request, response) => connections.track(request, response));
  const bound = await bindServer(server, host, port);
  return { url: `${base}:${bound}`, close: () => closeServer(server) };
}

/** Why a request is not served; `undefined`: it is. */
type Refuse = (request: IncomingMessage, path: string) => Promise<DiagnosticsResponse | undefined>;

function refuseForeignHost({ headers }: IncomingMessage): ReturnType<Refuse> {
  const name = (headers.host ?? "").toLowerCase().replace(/:\d*$/, "");
  if (servedHosts.has(name)) return Promise.resolve(undefined);
  return Promise.resolve(text(403, `requests for host ${JSON.stringify(headers.host)} are not served here`));
}

async function refuseBy(
  authorize: DelegatedAuthorizer,
  { headers, method = "" }: IncomingMessage,
  path: string,
): ReturnType<Refuse> {
  if (isHealth(path)) return undefined;
  const { authorization } = headers;
  const decision = await authorize({ authorization, verb: method.toLowerCase(), path });
  return decision.allowed ? undefined : text(decision.code, decision.message);
}

function listenerOf(diagnostics: Diagnostics, log: Logger, refuse: Refuse): RequestListener {
  return (request, response) => {
    void respond(request, diagnostics, refuse)
      .catch((error: unknown) => {
        // A boundary: every request gets a response.
        if (error instanceof ApiError) return text(error.status.code ?? 500, error.message);
        log.error("diagnostics request failed", { error, path: request.url });
        return text(500, "internal error; see the log");
      })
      .then((answer) => send(response, answer));
  };
}

async function respond(
  request: IncomingMessage,
  diagnostics: Diagnostics,
  refuse: Refuse,
): Promise<DiagnosticsResponse> {
  const { method, url = "/" } = request;
  const { pathname, searchParams } = new URL(URL.canParse(url, base) ? url : "/", base);
  const refusal = await refuse(request, pathname);
  if (refusal !== undefined) return refusal;
  if (method !== "GET" && method !== "HEAD") return text(405, "only GET is served here");
  return (
    healthResponse(diagnostics, pathname, searchParams) ??
    (await privilegedResponse(diagnostics, pathname, searchParams)) ??
    text(404, "the server could not find the requested resource")
  );
}

function text(code: number, body: string): DiagnosticsResponse {
  return { code, type: "text/plain; charset=utf-8", body };
}

function send(response: ServerResponse, { code, type, body }: DiagnosticsResponse): void {
  response.writeHead(code, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(body),
    "X-Content-Type-Options": "nosniff",
  });
  response.end(body);
}
