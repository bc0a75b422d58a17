import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { bindServer, closeServer } from "../https-server/bind-server.ts";
import type { Logger } from "../log/logger.ts";
import {
  type Diagnostics,
  type DiagnosticsResponse,
  healthResponse,
  privilegedResponse,
} from "./diagnostics.ts";

export interface DiagnosticsServer {
  readonly url: string;
  close(): Promise<void>;
}

const host = "127.0.0.1";
const base = `http://${host}`;
/** A request for any other name comes from a web page that resolves its own name to this machine (DNS rebinding). */
const servedHosts: ReadonlySet<string> = new Set([host, "localhost", "[::1]"]);

/** Serves health, metrics and decisions over plain HTTP, on loopback only: no credentials are required. */
export async function serveDiagnostics(
  diagnostics: Diagnostics,
  { port, log }: { readonly port: number; readonly log: Logger },
): Promise<DiagnosticsServer> {
  const server = createServer((request, response) => {
    void respond(request, diagnostics)
      .catch((error: unknown) => {
        log.error("diagnostics request failed", { error, path: request.url });
        return text(500, "internal error; see the log");
      })
      .then((answer) => send(response, answer));
  });
  const bound = await bindServer(server, host, port);
  return { url: `${base}:${bound}`, close: () => closeServer(server) };
}

async function respond(request: IncomingMessage, diagnostics: Diagnostics): Promise<DiagnosticsResponse> {
  const { method, headers } = request;
  const name = (headers.host ?? "").toLowerCase().replace(/:\d*$/, "");
  if (!servedHosts.has(name))
    return text(403, `requests for host ${JSON.stringify(headers.host)} are not served here`);
  if (method !== "GET" && method !== "HEAD") return text(405, "only GET is served here");
  const target = request.url ?? "/";
  if (!URL.canParse(target, base)) return text(404, notFound);
  const { pathname, searchParams } = new URL(target, base);
  return (
    healthResponse(diagnostics, pathname, searchParams) ??
    (await privilegedResponse(diagnostics, pathname, searchParams)) ??
    text(404, notFound)
  );
}

const notFound = "the server could not find the requested resource";

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
