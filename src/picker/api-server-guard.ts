import { endpointSlices, services } from "../api/resources.ts";
import type { Instant } from "../api/time.ts";
import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import { isLoopback, isSameAddress } from "./address-policy.ts";
import { addressesOf, type Lookup } from "./lookup.ts";

/** A host as it would be dialled. */
export interface DialedHost {
  readonly addresses: readonly string[];
  readonly port: number;
}

/** Whether any of it is the API server: nobody's picker, whatever is allowed. */
export type IsApiServer = (dialled: DialedHost, signal: AbortSignal) => Promise<boolean>;

export interface ApiServerGuardOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly lookup: Lookup;
  /** Where we reach the API server, as a URL; absent while nobody does over a network. */
  readonly apiServer?: (() => string | undefined) | undefined;
  /** Whether Services are simulated: then what they point to is not where the API server is. */
  readonly isSimulated: boolean;
}

/** After how long it is looked for again: control planes move rarely. */
const keepsMs = 60_000;

/**
 * Knows the API server by the address we reach it at and by those its Service has for everybody else, as far as both can
 * be found out. On this machine, where pickers may be its neighbours, its port is refused, by whatever name; elsewhere
 * all are, for what listens beside an API server is not for the authors of workloads either.
 */
export function apiServerGuard(options: ApiServerGuardOptions): IsApiServer {
  const { client, clock, lookup, apiServer, isSimulated } = options;
  const ownPlace = keeping(clock, (signal) => findPlace(apiServer?.() ?? "", lookup, signal));
  const behindService = keeping(clock, (signal) => readService(client, signal));
  return async ({ addresses, port }, signal) => {
    const own = await ownPlace(signal);
    const isNearby = port === own.port && own.addresses.some(isLoopback);
    const isOwn = (address: string) => (isLoopback(address) ? isNearby : isAmong(address, own.addresses));
    if (addresses.some(isOwn)) return true;
    if (isSimulated || addresses.every(isLoopback)) return false;
    const others = await behindService(signal);
    return addresses.some((address) => isAmong(address, others.addresses));
  };
}

function isAmong(address: string, others: readonly string[]): boolean {
  return others.some((other) => isSameAddress(address, other));
}

/** What was found out, and whether it is all there is: what could not be had just now is asked for again. */
interface Found {
  readonly addresses: readonly string[];
  readonly isWhole: boolean;
}

async function findPlace(
  url: string,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<Found & Pick<DialedHost, "port">> {
  if (!URL.canParse(url)) return { addresses: [], port: 0, isWhole: false };
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const usual = protocol === "http:" ? 80 : 443;
  const addresses = await addressesOf({ host, signal }, lookup).catch(() => []);
  return { addresses, port: port === "" ? usual : Number(port), isWhole: addresses.length > 0 };
}

/** The addresses under which Pods reach the API server, as far as they can be read. */
async function readService(client: Client, signal: AbortSignal): Promise<Found> {
  const namespace = "default";
  const name = "kubernetes";
  const query = { namespace, labelSelector: `kubernetes.io/service-name=${name}` };
  const [service, slices] = await Promise.allSettled([
    client.get(services, { namespace, name }, signal),
    client.list(endpointSlices, query, signal),
  ]);
  const spec = service.status === "fulfilled" ? service.value.spec : {};
  const items = slices.status === "fulfilled" ? slices.value.items : [];
  const behind = items.flatMap(({ endpoints = [] }) => endpoints.flatMap(({ addresses }) => addresses));
  return {
    addresses: [...(spec.clusterIPs ?? []), spec.clusterIP ?? "", ...behind],
    isWhole: service.status === "fulfilled" && slices.status === "fulfilled",
  };
}

/**
 * Keeps what was found whole until it is found anew, which is tried from time to time. Only who comes before the first
 * time waits: a resolver that hangs later on must not keep anybody from pickers that are found without it.
 */
function keeping<T extends Found>(clock: Clock, find: (signal: AbortSignal) => Promise<T>) {
  let kept: { readonly found: T; readonly until: Instant } | undefined;
  let isLooking = false;
  const look = async (signal: AbortSignal): Promise<T> => {
    isLooking = true;
    const found = await find(signal);
    isLooking = false;
    if (found.isWhole) kept = { found, until: clock.now() + keepsMs };
    return found;
  };
  return async (signal: AbortSignal): Promise<T> => {
    if (kept === undefined) return look(signal);
    if (clock.now() >= kept.until && !isLooking) void look(signal);
    return kept.found;
  };
}
