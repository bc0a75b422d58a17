import { Pool } from "undici";
import { ApiError } from "./api-error.ts";
import type { Connection } from "./connection.ts";
import type { ApiRequest } from "./request.ts";
import { describeRequest } from "./response.ts";

/** A response whose body is not read yet. */
export interface TransportResponse {
  readonly code: number;
  header(name: string): string | undefined;
  readonly body: AsyncIterable<Uint8Array> & { text(): Promise<string>; destroy(): unknown };
}

export interface SendOptions {
  readonly token: string | undefined;
  readonly signal: AbortSignal;
}

/** Sends requests to one server. */
export interface Transport {
  send(request: ApiRequest, options: SendOptions): Promise<TransportResponse>;
  /** Aborts all requests and closes all connections. */
  close(): Promise<void>;
}

// API servers keep idle connections for 90 s: closing them earlier avoids writing to one that is being closed.
const idleMs = 30_000;

/** Keep-alive connections to an API server, with the certificates of a connection. */
export function poolTransport({ server, tls }: Connection, userAgent: string): Transport {
  const { origin, pathname } = new URL(server);
  const base = pathname.replace(/\/$/, "");
  const pool = new Pool(origin, {
    keepAliveTimeout: idleMs,
    // The client has its own timeouts, by its own clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      rejectUnauthorized: !tls.skipVerify,
      ...(tls.ca !== undefined && { ca: tls.ca }),
      ...(tls.certificate !== undefined && { cert: tls.certificate }),
      ...(tls.key !== undefined && { key: tls.key }),
      ...(tls.serverName !== undefined && { servername: tls.serverName }),
    },
  });
  return {
    async send(request, { token, signal }) {
      const headers = {
        accept: "application/json",
        "user-agent": userAgent,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(request.contentType !== undefined && { "content-type": request.contentType }),
      };
      const { method, body = null } = request;
      const path = base + request.path;
      try {
        const response = await pool.request({ method, path, headers, body, signal });
        const header = (name: string) => [response.headers[name] ?? []].flat()[0];
        return { code: response.statusCode, header, body: response.body };
      } catch (error) {
        throw connectionFailure(request, error, signal);
      }
    },
    close: () => pool.destroy(),
  };
}

/** An `ApiError` or the reason of an abort as it is; any other error with the request it belongs to. */
export function connectionFailure(request: ApiRequest, error: unknown, signal: AbortSignal): unknown {
  if (error instanceof ApiError) return error;
  if (signal.aborted) return signal.reason;
  return new Error(`${describeRequest(request)}: ${messageOf(error)}`, { cause: error });
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Connecting to several addresses of one host fails with one error per address and an empty message.
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join(", ");
  return error.message;
}
