import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";

/** All addresses of a host, as DNS has them. */
export type Lookup = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** A host that has an address, or may have one. */
export interface LookupRequest {
  readonly host: string;
  readonly signal: AbortSignal;
}

/** The addresses of what may be one already, by the measure of sockets: 010.0.0.1 is none to them but a name. */
export async function addressesOf({ host, signal }: LookupRequest, look: Lookup): Promise<readonly string[]> {
  return isIP(host) === 0 ? look(host, signal) : [host];
}

/**
 * The resolver of the machine. A look-up that hangs keeps one of the few threads that files and everybody else's
 * look-ups need too, and goes on when nobody waits for it any more; so only so many are under way.
 */
export function systemLookup(limit = 2): Lookup {
  const slots = new ConcurrencyLimiter({ total: limit, perHost: limit });
  return async (host, signal) => {
    const leave = await slots.acquire(host, signal);
    if (leave === undefined) return [];
    try {
      return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
    } finally {
      leave();
    }
  };
}
