import { lookup as dnsLookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import type { Clock } from "../../machinery/clock/clock.ts";
import { ConcurrencyLimiter } from "../concurrency-limiter.ts";

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

export interface SystemLookupOptions {
  readonly clock: Clock;
  /** How many look-ups of the system run at a time. */
  readonly limit?: number;
  /** Default: getaddrinfo. */
  readonly system?: (host: string) => Promise<readonly string[]>;
  /** Asks the DNS servers without the system; default: c-ares. */
  readonly servers?: Lookup;
}

/** How long a look-up waits for its turn before it asks the DNS servers itself. */
const patienceMs = 250;

/**
 * The system's resolver, which also knows `/etc/hosts`. A look-up that hangs occupies one of the few threads of Node's
 * pool, even after it was aborted; so only a few run at a time, one for each host. Those that would have to wait for
 * hanging ones ask the DNS servers directly, which takes no thread.
 */
export function systemLookup(options: SystemLookupOptions): Lookup {
  const { clock, limit = 2, system = getAddresses, servers = askServers } = options;
  const limiter = new ConcurrencyLimiter({ total: limit, perKey: limit });
  const running = new Map<string, Promise<readonly string[]>>();
  const run = (host: string, release: () => void) => {
    const looking = system(host).finally(() => {
      running.delete(host);
      release();
    });
    running.set(host, looking);
    return looking;
  };
  return async (host, signal) => {
    const shared = running.get(host);
    if (shared !== undefined) return shared;
    const turn = limiter.acquire(host, signal);
    if (!(await isSettledWithin(patienceMs, turn, clock))) {
      const found = await servers(host, signal).catch(() => []); // the system may still know the host
      if (found.length > 0) {
        void turn.then((release) => release?.());
        return found;
      }
    }
    const release = await turn;
    if (release === undefined) return [];
    const sharedMeanwhile = running.get(host);
    if (sharedMeanwhile === undefined) return run(host, release);
    release();
    return sharedMeanwhile;
  };
}

function isSettledWithin(delayMs: number, work: Promise<unknown>, clock: Clock): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(delayMs, () => resolve(false));
    work.then(() => resolve(true), reject).finally(() => timer.cancel());
  });
}

async function getAddresses(host: string): Promise<readonly string[]> {
  const found = await dnsLookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

async function askServers(host: string, signal: AbortSignal): Promise<readonly string[]> {
  if (host === "localhost") return ["127.0.0.1"]; // no server has to know it
  const resolver = new Resolver();
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  signal.removeEventListener("abort", cancel);
  return found.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
}
