import type { Service } from "../api/generated/core-v1.ts";
import { keyOf } from "../api/object.ts";
import { services } from "../api/resources.ts";
import { ApiError, isNotFound } from "../machinery/client/api-error.ts";
import type { Client } from "../machinery/client/client.ts";
import { type AddressPolicy, isAddressAllowed } from "./address-policy.ts";
import type { IsApiServer } from "./api-server-guard.ts";
import { addressesOf, type Lookup, type LookupRequest } from "./lookup.ts";
import { permanentFailure, transientFailure, type PickerFailure } from "./picker-failure.ts";
import type { PickerSettings } from "./picker-settings.ts";
import { serviceNamedBy } from "./service-name.ts";
import {
  type PickerEndpoints,
  endpointsOfClusterIp,
  endpointsOfHeadless,
  endpointsOfSimulated,
  portOf,
} from "./service-endpoints.ts";
import type { Target } from "./transport.ts";

/** For whom a picker is looked up, and how often that has been done in vain. */
export interface ResolveContext {
  readonly namespace: string;
  readonly attempt: number;
  readonly signal: AbortSignal;
}

/** Finds out what to dial for a picker. It never rejects but for its signal. */
export type Resolve = (
  settings: PickerSettings,
  errand: ResolveContext,
) => Promise<{ readonly kind: "resolved"; readonly target: Target } | PickerFailure>;

export interface ResolverOptions {
  readonly client: Client;
  readonly lookup: Lookup;
  readonly policy: AddressPolicy;
  readonly isApiServer: IsApiServer;
  /** Whether Services are simulated: then what they point to is never dialled. */
  readonly isSimulated: boolean;
}

/** Looks hosts up in the API and then in DNS, and lets no address pass that the policy does not. */
export function networkResolver(options: ResolverOptions): Resolve {
  return async (settings, errand) => {
    const { host, tls, path } = settings;
    const found = await findEndpoints(settings, errand, options);
    if (found.kind === "failed") return found;
    const { addresses, port, dialPort = port } = found;
    const isAllowed = (address: string) => isAddressAllowed(address, host, options.policy);
    // One bad address spoils the host: whoever answers for it does not get to choose.
    const address = addresses.every(isAllowed) ? addresses[errand.attempt % addresses.length] : undefined;
    if (address === undefined) return permanentFailure("AddressNotAllowed");
    if (await options.isApiServer({ addresses, port: dialPort }, errand.signal))
      return permanentFailure("AddressNotAllowed");
    return { kind: "resolved", target: { host, port, dial: { address, port: dialPort }, tls, path } };
  };
}

/** The Service behind which the control plane itself is. */
const apiServer = "default/kubernetes";

async function findEndpoints(
  settings: PickerSettings,
  errand: ResolveContext,
  options: ResolverOptions,
): Promise<PickerEndpoints | PickerFailure> {
  const { host, port } = settings;
  const named = serviceNamedBy(host, errand.namespace);
  if (named !== undefined) {
    if (keyOf({ metadata: named }) === apiServer) return permanentFailure("AddressNotAllowed");
    const service = await readService(named, options.client, errand.signal);
    if (typeof service === "object") return endpointsOfService(service, settings, { ...options, ...errand });
    if (service === "unavailable") return transientFailure("HostUnresolved");
    if (service === "missing" && named.isCertain) return permanentFailure("HostUnresolved");
  }
  if (typeof port !== "number") return permanentFailure("PortUnresolved");
  return lookUp({ host, signal: errand.signal }, port, options.lookup);
}

async function readService(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  client: Client,
  signal: AbortSignal,
): Promise<Service | "missing" | "unreadable" | "unavailable"> {
  try {
    return await client.get(services, { namespace, name }, signal);
  } catch (error) {
    if (isNotFound(error)) return "missing";
    const isRefused = error instanceof ApiError && error.code < 500 && error.code !== 429;
    return isRefused ? "unreadable" : "unavailable";
  }
}

async function endpointsOfService(
  service: Service,
  { port }: PickerSettings,
  { client, lookup, isSimulated, signal }: ResolverOptions & ResolveContext,
): Promise<PickerEndpoints | PickerFailure> {
  if (isSimulated) return endpointsOfSimulated(service, port);
  const { type, externalName = "", clusterIP } = service.spec;
  if (type === "ExternalName") {
    const number = portOf(service, port);
    return number === undefined
      ? permanentFailure("PortUnresolved")
      : lookUp({ host: externalName, signal }, number, lookup);
  }
  if (clusterIP !== "None") return endpointsOfClusterIp(service, port);
  return endpointsOfHeadless(service, port, { client, signal }).catch(() =>
    transientFailure("HostUnresolved"),
  );
}

async function lookUp(
  wanted: LookupRequest,
  port: number,
  lookup: Lookup,
): Promise<PickerEndpoints | PickerFailure> {
  try {
    const addresses = await addressesOf(wanted, lookup);
    return addresses.length === 0 ? transientFailure("HostUnresolved") : { kind: "places", addresses, port };
  } catch {
    return transientFailure("HostUnresolved");
  }
}
