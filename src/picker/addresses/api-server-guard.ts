import { endpointSlices, services } from "../../api/resources.ts";
import type { Instant } from "../../api/time.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { isLoopback } from "./address-faces.ts";
import { isSameAddress } from "./address-policy.ts";
import { addressesOf, type Lookup } from "./lookup.ts";

/** The addresses of a host, and the port to connect to. */
export interface DialedHost {
  readonly addresses: readonly string[];
  readonly port: number;
}

/** Whether any of the addresses is the API server's, which is never called as a picker. */
export type IsApiServer = (host: DialedHost, signal: AbortSignal) => Promise<boolean>;

export interface ApiServerGuardOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly lookup: Lookup;
  /** The URL of the API server, if it is reached over a network. */
  readonly apiServer?: (() => string | undefined) | undefined;
  /** Whether Services are simulated: the addresses of the Service `kubernetes` are then not the API server's. */
  readonly isSimulated: boolean;
}

/** How long addresses are cached: control planes rarely move. */
const cacheTtlMs = 60_000;

/**
 * Recognizes the API server by the address that the controllers use and by the addresses of its Service, as far as both
 * are known. On loopback, where pickers may run beside it, only its port is refused; on other addresses every port is, since
 * other services of the control plane listen there.
 */
export function apiServerGuard(options: ApiServerGuardOptions): IsApiServer {
  const { client, clock, lookup, apiServer, isSimulated } = options;
  const ownAddresses = cached(clock, (signal) => findByUrl(apiServer?.() ?? "", lookup, signal));
  const serviceAddresses = cached(clock, (signal) => readService(client, signal));
  return async ({ addresses, port }, signal) => {
    const own = await ownAddresses(signal);
    const isNearby = port === own.port && own.addresses.some(isLoopback);
    const isOwn = (address: string) => (isLoopback(address) ? isNearby : isAmong(address, own.addresses));
    if (addresses.some(isOwn)) return true;
    if (isSimulated || addresses.every(isLoopback)) return false;
    const others = await serviceAddresses(signal);
    return addresses.some((address) => isAmong(address, others.addresses));
  };
}

function isAmong(address: string, others: readonly string[]): boolean {
  return others.some((other) => isSameAddress(address, other));
}

/** Addresses, and whether the search was complete: incomplete results are not cached. */
interface FoundAddresses {
  readonly addresses: readonly string[];
  readonly isComplete: boolean;
}

async function findByUrl(
  url: string,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<FoundAddresses & Pick<DialedHost, "port">> {
  if (!URL.canParse(url)) return { addresses: [], port: 0, isComplete: false };
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const defaultPort = protocol === "http:" ? 80 : 443;
  // Converts the exceptions of the resolver: the result is incomplete, and not cached.
  const addresses = await addressesOf({ host, signal }, lookup).catch(() => []);
  return { addresses, port: port === "" ? defaultPort : Number(port), isComplete: addresses.length > 0 };
}

/** The cluster IPs and endpoints of the API server's Service, as far as they can be read. */
async function readService(client: Client, signal: AbortSignal): Promise<FoundAddresses> {
  const namespace = "default";
  const name = "kubernetes";
  const query = { namespace, labelSelector: `kubernetes.io/service-name=${name}` };
  const [service, slices] = await Promise.allSettled([
    client.get(services, { namespace, name }, signal),
    client.list(endpointSlices, query, signal),
  ]);
  const spec = service.status === "fulfilled" ? service.value.spec : {};
  const items = slices.status === "fulfilled" ? slices.value.items : [];
  const endpointAddresses = items.flatMap(({ endpoints = [] }) =>
    endpoints.flatMap(({ addresses }) => addresses),
  );
  return {
    addresses: [...(spec.clusterIPs ?? []), spec.clusterIP ?? "", ...endpointAddresses],
    isComplete: service.status === "fulfilled" && slices.status === "fulfilled",
  };
}

/**
 * Caches complete results and refreshes them in the background. Only calls before the first result wait: a resolver that
 * hangs later must not block calls to pickers that are resolved without it.
 */
function cached<T extends FoundAddresses>(clock: Clock, find: (signal: AbortSignal) => Promise<T>) {
  let entry: { readonly found: T; readonly until: Instant } | undefined;
  let isRefreshing = false;
  const refresh = async (signal: AbortSignal): Promise<T> => {
    isRefreshing = true;
    const found = await find(signal);
    isRefreshing = false;
    if (found.isComplete) entry = { found, until: clock.now() + cacheTtlMs };
    return found;
  };
  return async (signal: AbortSignal): Promise<T> => {
    if (entry === undefined) return refresh(signal);
    if (clock.now() >= entry.until && !isRefreshing) void refresh(signal);
    return entry.found;
  };
}
