import type { Service } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { services } from "../../api/resources.ts";
import { ApiError, isNotFound } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import { type AddressPolicy, isAddressAllowed } from "./address-policy.ts";
import type { IsApiServer } from "./api-server-guard.ts";
import { addressesOf, type Lookup, type LookupRequest } from "./lookup.ts";
import { permanentFailure, transientFailure, type PickerFailure } from "../picker-failure.ts";
import type { PickerSettings } from "../picker-settings.ts";
import {
  type PickerEndpoints,
  endpointsOfClusterIp,
  endpointsOfHeadless,
  endpointsOfSimulated,
  parseServiceHost,
  portOf,
} from "./service-endpoints.ts";
import type { PickerTarget } from "../transport/transport.ts";

/** The namespace of the workload, and how many attempts have failed. */
export interface ResolveContext {
  readonly namespace: string;
  readonly attempt: number;
  readonly signal: AbortSignal;
}

/** Resolves a picker's host to the address to connect to. It rejects only if its signal aborts. */
export type Resolve = (
  settings: PickerSettings,
  context: ResolveContext,
) => Promise<{ readonly kind: "resolved"; readonly target: PickerTarget } | PickerFailure>;

export interface ResolverOptions {
  readonly client: Client;
  readonly lookup: Lookup;
  readonly policy: AddressPolicy;
  readonly isApiServer: IsApiServer;
  /** Whether Services are simulated: their addresses are then never called. */
  readonly isSimulated: boolean;
}

/** Resolves hosts through the API, then through DNS, and checks every address against the policy. */
export function networkResolver(options: ResolverOptions): Resolve {
  return async (settings, context) => {
    const { host, tls, path } = settings;
    const endpoints = await findEndpoints(settings, context, options);
    if (endpoints.kind === "failed") return endpoints;
    const { addresses, port, dialPort = port } = endpoints;
    const isAllowed = (address: string) => isAddressAllowed(address, host, options.policy);
    // One forbidden address is enough to refuse the host: otherwise its DNS server could mix both kinds.
    const address = addresses.every(isAllowed) ? addresses[context.attempt % addresses.length] : undefined;
    if (address === undefined) return permanentFailure("AddressNotAllowed");
    if (await options.isApiServer({ addresses, port: dialPort }, context.signal))
      return permanentFailure("AddressNotAllowed");
    return { kind: "resolved", target: { host, port, dial: { address, port: dialPort }, tls, path } };
  };
}

/** The Service of the API server. */
const apiServer = "default/kubernetes";

async function findEndpoints(
  settings: PickerSettings,
  context: ResolveContext,
  options: ResolverOptions,
): Promise<PickerEndpoints | PickerFailure> {
  const { host, port } = settings;
  const name = parseServiceHost(host, context.namespace);
  if (name !== undefined) {
    if (keyOf({ metadata: name }) === apiServer) return permanentFailure("AddressNotAllowed");
    const service = await readService(name, options.client, context.signal);
    if (typeof service === "object") return endpointsOfService(service, settings, { ...options, ...context });
    if (service === "unavailable") return transientFailure("HostUnresolved");
    if (service === "missing" && name.isCertain) return permanentFailure("HostUnresolved");
  }
  if (typeof port !== "number") return permanentFailure("PortUnresolved");
  return lookUp({ host, signal: context.signal }, port, options.lookup);
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
  // Converts every error of the API server: the next attempt may succeed.
  return endpointsOfHeadless(service, port, { client, signal }).catch(() =>
    transientFailure("HostUnresolved"),
  );
}

async function lookUp(
  request: LookupRequest,
  port: number,
  lookup: Lookup,
): Promise<PickerEndpoints | PickerFailure> {
  try {
    const addresses = await addressesOf(request, lookup);
    return addresses.length === 0
      ? transientFailure("HostUnresolved")
      : { kind: "endpoints", addresses, port };
  } catch {
    return transientFailure("HostUnresolved"); // converts the exceptions of the resolver
  }
}
