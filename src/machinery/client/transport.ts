import { Pool } from "undici";
import { ApiError } from "./api-error.ts";
import type { Connection } from "./connection.ts";
import type { ApiRequest } from "./request.ts";
import { describeRequest } from "./response.ts";

/** What came back, as far as the headers; the body is read, or thrown away, by whoever asked. */
export interface TransportResponse {
  readonly code: number;
  header(name: string): string | undefined;
  readonly body: AsyncIterable<Uint8Array> & { text(): Promise<string>; destroy(): unknown };
}

export interface SendOptions {
  readonly token: string | undefined;
  readonly signal: AbortSignal;
}

/** Carries requests to one server. */
export interface Transport {
  send(request: ApiRequest, options: SendOptions): Promise<TransportResponse>;
  /** Ends everything under way. */
  close(): Promise<void>;
}

// API servers keep idle connections for 90 s: giving up earlier, we never write into one that is just being closed.
const idleMs = 30_000;

/** Keep-alive connections to an API server, with the certificates of a connection. */
export function poolTransport({ server, tls }: Connection, userAgent: string): Transport {
  const { origin, pathname } = new URL(server);
  const base = pathname.replace(/\/$/, "");
  const pool = new Pool(origin, {
    keepAliveTimeout: idleMs,
    // Time limits are the client's, by its own clock.
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

/** What the server said, or the reason of an abort, as it is; anything else with the request it ended. */
export function connectionFailure(request: ApiRequest, error: unknown, signal: AbortSignal): unknown {
  if (error instanceof ApiError) return error;
  if (signal.aborted) return signal.reason;
  return new Error(`${describeRequest(request)}: ${messageOf(error)}`, { cause: error });
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Trying several addresses of one host fails with an error for each and no message of its own.
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join(", ");
  return error.message;
}
