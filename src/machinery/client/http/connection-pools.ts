import { createSecureContext } from "node:tls";
import { buildConnector, type Dispatcher, Pool, ProxyAgent } from "undici";
import type { Connection } from "../connection/connection.ts";
import type { Identity } from "../connection/identity.ts";

/** What a connection is used for. */
export type ConnectionUse = "requests" | "streams";

/**
 * Limits how many requests are sent to the server concurrently; further requests wait. Hundreds of concurrent requests
 * would each need a connection, whose handshake costs the client more than the request. Streams are long-lived, and
 * their connections are not limited.
 */
export const maxRequests: number = 64;

// API servers keep idle connections for 90 s: closing them earlier avoids writing to one that is being closed.
const idleMs = 30_000;

/** Connects with the current client certificate; connections with an earlier one close when their requests end. */
export class ConnectionPools {
  readonly #connection: Connection;
  readonly #origin: string;
  #current:
    | { readonly identity: Identity; readonly pools: Readonly<Record<ConnectionUse, Dispatcher>> }
    | undefined;
  readonly #draining = new Set<Dispatcher>();

  constructor(connection: Connection, origin: string) {
    this.#connection = connection;
    this.#origin = origin;
  }

  of(identity: Identity, use: ConnectionUse): Dispatcher {
    const current = this.#current;
    if (current !== undefined && isSameCertificate(current.identity, identity)) return current.pools[use];
    const pools = openPools(this.#connection, this.#origin, identity);
    if (current !== undefined) Object.values(current.pools).forEach((pool) => this.#drain(pool));
    this.#current = { identity, pools };
    return pools[use];
  }

  #drain(pool: Dispatcher): void {
    this.#draining.add(pool);
    void pool.close().finally(() => this.#draining.delete(pool));
  }

  async close(): Promise<void> {
    const pools = [...this.#draining, ...Object.values(this.#current?.pools ?? {})];
    await Promise.all(pools.map((pool) => pool.destroy()));
  }
}

function isSameCertificate(one: Identity, other: Identity): boolean {
  return one.certificate === other.certificate && one.key === other.key;
}

function openPools(
  { tls, proxy }: Connection,
  origin: string,
  { certificate, key }: Identity,
): Record<ConnectionUse, Dispatcher> {
  const options = {
    keepAliveTimeout: idleMs,
    // The client measures timeouts by its own clock.
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
  const open = (limit: { readonly connections?: number }) =>
    proxy === undefined
      ? openPool(origin, { ...options, ...limit, connect: buildConnector(connect) })
      : new ProxyAgent({ ...options, ...limit, uri: proxy, requestTls: connect, factory: openPool });
  return { requests: open({ connections: maxRequests }), streams: open({}) };
}

function openPool(origin: string | URL, options: Pool.Options): Pool {
  const { connect } = options;
  return new Pool(
    origin,
    typeof connect === "function" ? { ...options, connect: failingOnce(connect) } : options,
  );
}

/** Errors after which undici reconnects forever, or never answers the requests that wait for a connection. */
const unendingErrors: ReadonlySet<unknown> = new Set(["UND_ERR_SOCKET", "ERR_TLS_CERT_ALTNAME_INVALID"]);

/** Fails a request whose connection fails, as undici does for all other errors, and lets the next request connect again. */
function failingOnce(connect: buildConnector.connector): buildConnector.connector {
  return (options, done) =>
    connect(options, (...[error, socket]) => {
      if (error === null) done(null, socket);
      else done(hasUnendingCode(error) ? new Error(error.message, { cause: error }) : error, null);
    });
}

function hasUnendingCode(error: Error): boolean {
  return "code" in error && unendingErrors.has(error.code);
}
