import { lookup as dnsLookup } from "node:dns/promises";
import { isIP } from "node:net";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";

/** Resolves a host name to all its addresses. */
export type Lookup = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** A host name or an address. */
export interface LookupRequest {
  readonly host: string;
  readonly signal: AbortSignal;
}

/** The addresses of a host, which may be an address itself. `isIP` decides as sockets do: 010.0.0.1 is a name to them. */
export async function addressesOf(
  { host, signal }: LookupRequest,
  lookup: Lookup,
): Promise<readonly string[]> {
  return isIP(host) === 0 ? lookup(host, signal) : [host];
}

/**
 * The system's resolver. A look-up that hangs occupies one of the few threads of Node's pool, even after it was aborted;
 * so at most `limit` run at a time.
 */
export function systemLookup(limit = 2): Lookup {
  const limiter = new ConcurrencyLimiter({ total: limit, perKey: limit });
  return async (host, signal) => {
    const release = await limiter.acquire(host, signal);
    if (release === undefined) return [];
    try {
      return (await dnsLookup(host, { all: true, verbatim: true })).map(({ address }) => address);
    } finally {
      release();
    }
  };
}
