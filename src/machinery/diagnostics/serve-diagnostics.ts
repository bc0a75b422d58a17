import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../api/json.ts";
import type { Logger } from "../log/logger.ts";

/** Something that has to be well before a program is ready. */
export interface HealthCheck {
  readonly name: string;
  readonly ok: boolean;
}

/** What a program lets its operators see. */
export interface Diagnostics {
  /** What `/readyz` asks; `/livez` and `/healthz` only ask whether anybody answers. */
  readonly readiness: () => readonly HealthCheck[];
  /** The text of `/metrics`. */
  readonly metrics: () => Promise<string>;
  /** Answers paths below `/debug/`; `undefined`: not found. */
  readonly debug: (path: string, query: URLSearchParams) => JsonObject | undefined;
}

export interface DiagnosticsServer {
  readonly url: string;
  close(): Promise<void>;
}

interface Answer {
  readonly code: number;
  readonly type: string;
  readonly body: string;
}

const host = "127.0.0.1";
const base = `http://${host}`;
/** Under any other name it is a page from elsewhere that had its name point here. */
const ourNames: ReadonlySet<string> = new Set([host, "localhost", "[::1]"]);

/** Serves health, metrics and decisions by plain HTTP, to this machine only: no credentials are asked for. */
export async function serveDiagnostics(
  insights: Diagnostics,
  { port, log }: { readonly port: number; readonly log: Logger },
): Promise<DiagnosticsServer> {
  const server = createServer((request, response) => {
    void answer(request, insights)
      .catch((error: unknown) => {
        log.error("an answer failed unexpectedly", { error, path: request.url });
        return text(500, "the log says why");
      })
      .then((answered) => send(response, answered));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "it is in use" : error.message;
      reject(new Error(`cannot listen on port ${port} of ${host}: ${why}`, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `${base}:${actual}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, insights: Diagnostics): Promise<Answer> {
  const { method, headers } = request;
  const name = (headers.host ?? "").toLowerCase().replace(/:\d*$/, "");
  if (!ourNames.has(name))
    return text(403, `requests for host ${JSON.stringify(headers.host)} are not served here`);
  if (method !== "GET" && method !== "HEAD") return text(405, "only GET is served here");
  const target = request.url ?? "/";
  if (!URL.canParse(target, base)) return text(404, "there is nothing here");
  const { pathname, searchParams } = new URL(target, base);
  switch (pathname) {
    case "/healthz":
    case "/livez":
      return text(200, "ok");
    case "/readyz":
      return readiness(insights.readiness());
    case "/metrics":
      return { code: 200, type: "text/plain; version=0.0.4; charset=utf-8", body: await insights.metrics() };
    default: {
      const value = pathname.startsWith("/debug/") ? insights.debug(pathname, searchParams) : undefined;
      if (value === undefined) return text(404, "there is nothing here");
      return { code: 200, type: "application/json", body: JSON.stringify(value) };
    }
  }
}

function readiness(checks: readonly HealthCheck[]): Answer {
  if (checks.every(({ ok }) => ok)) return text(200, "ok");
  return text(503, checks.map(({ name, ok }) => `[${ok ? "+" : "-"}]${name}`).join("\n"));
}

function text(code: number, body: string): Answer {
  return { code, type: "text/plain; charset=utf-8", body };
}

function send(response: ServerResponse, { code, type, body }: Answer): void {
  response.writeHead(code, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(body),
    "X-Content-Type-Options": "nosniff",
  });
  response.end(body);
}
