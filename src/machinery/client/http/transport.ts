import { createSecureContext } from "node:tls";
import { type Dispatcher, Pool, ProxyAgent } from "undici";
import { ApiError } from "../api-error.ts";
import type { Connection } from "../connection/connection.ts";
import type { Identity } from "../connection/identity.ts";
import type { ApiRequest } from "./request.ts";
import { describeRequest } from "./response.ts";

/** A response whose body is not read yet. */
export interface TransportResponse {
  readonly code: number;
  header(name: string): string | undefined;
  readonly body: AsyncIterable<Uint8Array> & { text(): Promise<string>; destroy(): unknown };
}

/**
 * Sends a request as a user of its own; resolves to a response with a code below 300 whose body is read at the pace of its
 * reader, and throws as `Client` does otherwise.
 */
export type OpenRequest = (request: ApiRequest, signal: AbortSignal) => Promise<TransportResponse>;

export interface SendOptions {
  readonly identity: Identity;
  readonly signal: AbortSignal;
}

/** Sends requests to one server. */
export interface Transport {
  send(request: ApiRequest, options: SendOptions): Promise<TransportResponse>;
  /** Aborts all requests and closes all connections. */
  close(): Promise<void>;
}

/** Keep-alive connections to an API server, with the certificates of a connection. */
export function poolTransport(connection: Connection, userAgent: string): Transport {
  const { origin, pathname } = new URL(connection.server);
  const base = pathname.replace(/\/$/, "");
  const pools = new PoolPerCertificate(connection, origin);
  return {
    async send(request, { identity, signal }) {
      const { authorization } = identity;
      const headers = {
        ...connection.impersonation,
        accept: "application/json",
        "user-agent": userAgent,
        ...(authorization !== undefined && { authorization }),
        ...(request.contentType !== undefined && { "content-type": request.contentType }),
      };
      const { method, body = null } = request;
      const path = base + request.path;
      try {
        const pool = pools.of(identity);
        // Without `reset: false` every DELETE with a body, which ours have, would cost its connection.
        const response = await pool.request({ origin, method, path, headers, body, signal, reset: false });
        const header = (name: string) => [response.headers[name] ?? []].flat()[0];
        return { code: response.statusCode, header, body: response.body };
      } catch (error) {
        throw connectionFailure(request, error, signal);
      }
    },
    close: () => pools.close(),
  };
}

// API servers keep idle connections for 90 s: closing them earlier avoids writing to one that is being closed.
const idleMs = 30_000;

/** Connections are made with the client certificate of the time; those of an earlier one end with their requests. */
class PoolPerCertificate {
  readonly #connection: Connection;
  readonly #origin: string;
  #current: { readonly identity: Identity; readonly pool: Dispatcher } | undefined;
  readonly #draining = new Set<Dispatcher>();

  constructor(connection: Connection, origin: string) {
    this.#connection = connection;
    this.#origin = origin;
  }

  of(identity: Identity): Dispatcher {
    const current = this.#current;
    if (current !== undefined && isSameCertificate(current.identity, identity)) return current.pool;
    const pool = openPool(this.#connection, this.#origin, identity);
    if (current !== undefined) this.#drain(current.pool);
    this.#current = { identity, pool };
    return pool;
  }

  #drain(pool: Dispatcher): void {
    this.#draining.add(pool);
    void pool.close().finally(() => this.#draining.delete(pool));
  }

  async close(): Promise<void> {
    const pools = [...this.#draining, ...(this.#current === undefined ? [] : [this.#current.pool])];
    await Promise.all(pools.map((pool) => pool.destroy()));
  }
}

function isSameCertificate(one: Identity, other: Identity): boolean {
  return one.certificate === other.certificate && one.key === other.key;
}

function openPool({ tls, proxy }: Connection, origin: string, { certificate, key }: Identity): Dispatcher {
  const options = {
    keepAliveTimeout: idleMs,
    // The client has its own timeouts, by its own clock.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const connect = {
    rejectUnauthorized: !tls.skipVerify,
    // Made once: reading the certificates for every connection takes longer than the rest of the handshake.
    secureContext: createSecureContext({
      ...(tls.ca !== undefined && { ca: tls.ca }),
      ...(certificate !== undefined && { cert: certificate }),
      ...(key !== undefined && { key }),
    }),
    ...(tls.serverName !== undefined && { servername: tls.serverName }),
  };
  return proxy === undefined
    ? new Pool(origin, { ...options, connect })
    : new ProxyAgent({ ...options, uri: proxy, requestTls: connect });
}

/** An `ApiError` or the reason of an abort as it is; any other error with the request it belongs to. */
export function connectionFailure(request: ApiRequest, error: unknown, signal: AbortSignal): unknown {
  if (error instanceof ApiError) return error;
  if (signal.aborted) return signal.reason;
  return new Error(`${describeRequest(request)}: ${networkMessageOf(error)}`, { cause: error });
}

/** The message of a failure to connect. */
export function networkMessageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Connecting to several addresses of one host fails with one error per address and an empty message.
  if (error instanceof AggregateError && error.message === "")
    return error.errors.map(networkMessageOf).join(", ");
  return error.message;
}
