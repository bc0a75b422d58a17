import { isIP } from "node:net";
import { posix } from "node:path";
import type {
  ServiceReference,
  WebhookClientConfig,
} from "../../../api/generated/admissionregistration-v1.ts";
import type { Service } from "../../../api/generated/core-v1.ts";
import { type AddressPolicy, isAddressAllowed } from "../../../picker/addresses/address-policy.ts";
import { addressesOf, type Lookup } from "../../../picker/addresses/lookup.ts";
import { endpointsOfSimulated } from "../../../picker/addresses/service-endpoints.ts";

/** Where a webhook is called. */
export interface WebhookTarget {
  /** The URL in errors: `https://host:port/path`. */
  readonly url: string;
  /** The name that the certificate has to be valid for; empty for an address. */
  readonly serverName: string;
  /** The address to connect to: checked, and not resolved again. */
  readonly dial: { readonly address: string; readonly port: number };
}

/** A target, or why there is none. */
export type ResolvedTarget =
  | { readonly ok: true; readonly target: WebhookTarget }
  | { readonly ok: false; readonly why: string };

/** The dependencies for resolving a webhook. */
export interface TargetResolver {
  readonly policy: AddressPolicy;
  readonly lookup: Lookup;
  readonly service: (namespace: string, name: string) => Service | undefined;
  /** What is called, in errors; absent: a webhook. */
  readonly callee?: string;
}

/** Finds the address of a webhook, which the policy has to allow. */
export async function resolveTarget(
  { url, service }: WebhookClientConfig,
  resolver: TargetResolver,
  signal: AbortSignal,
): Promise<ResolvedTarget> {
  if (service !== undefined) return resolveService(service, resolver, signal);
  if (url === undefined || !URL.canParse(url)) return failed(`${JSON.stringify(url ?? "")} is not a URL`);
  const { hostname, port, pathname } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return resolveHost({ host, serverName: host, port: Number(port || 443), path: pathname }, resolver, signal);
}

interface Destination {
  readonly host: string;
  readonly serverName: string;
  readonly port: number;
  readonly path: string;
}

async function resolveHost(
  { host, serverName, port, path }: Destination,
  { lookup, policy, callee }: TargetResolver,
  signal: AbortSignal,
): Promise<ResolvedTarget> {
  // A failed lookup is reported like a host without addresses.
  const addresses = await addressesOf({ host, signal }, lookup).catch(() => []);
  const [address] = addresses;
  if (address === undefined) return failed(`dial tcp: lookup ${host}: no such host`);
  // One forbidden address is enough to refuse the host: otherwise its DNS server could mix allowed and forbidden ones.
  const refused = addresses.find((each) => !isAddressAllowed(each, host, policy));
  if (refused !== undefined) return failed(notAllowed(host, refused, callee));
  return reached({ serverName, port, path }, { address, port });
}

/**
 * Resolves a Service by its annotation, which names the real endpoint; the addresses of a simulated cluster have no
 * listeners.
 */
async function resolveService(
  { namespace, name, port = 443, path = "/" }: ServiceReference,
  resolver: TargetResolver,
  signal: AbortSignal,
): Promise<ResolvedTarget> {
  const service = resolver.service(namespace, name);
  if (service === undefined) return failed(`service ${JSON.stringify(name)} not found`);
  const serverName = `${name}.${namespace}.svc`;
  const { type, externalName = "" } = service.spec;
  if (type === "ExternalName")
    return resolveHost({ host: externalName, serverName, port, path }, resolver, signal);
  const dial = annotatedEndpoint(service, port);
  if (dial === undefined) {
    const hint = `annotate it with sim.trimtab.dev/endpoint: 127.0.0.1:PORT, where the ${resolver.callee ?? webhook} listens`;
    return failed(`no endpoints available for service ${JSON.stringify(name)}: ${hint}`);
  }
  if (!isAddressAllowed(dial.address, dial.address, resolver.policy))
    return failed(notAllowed(dial.address, dial.address, resolver.callee));
  return reached({ serverName, port, path }, dial);
}

function annotatedEndpoint(service: Service, port: number): WebhookTarget["dial"] | undefined {
  const found = endpointsOfSimulated(service, port);
  if (found.kind !== "endpoints") return undefined;
  const [address] = found.addresses;
  return address === undefined ? undefined : { address, port: found.dialPort ?? found.port };
}

function reached(
  { serverName, port, path }: Omit<Destination, "host">,
  dial: WebhookTarget["dial"],
): ResolvedTarget {
  const host = serverName.includes(":") ? `[${serverName}]` : serverName;
  const url = `https://${host}:${port}${cleanPath(path)}`;
  return { ok: true, target: { url, serverName: isIP(serverName) === 0 ? serverName : "", dial } };
}

/** Cleans a path as client-go does, without double slashes and a slash at the end: servers of Go would redirect them. */
function cleanPath(path: string): string {
  return posix.join("/", path).replace(/(?<=.)\/$/, "");
}

const webhook = "webhook";

function notAllowed(host: string, address: string, callee = webhook): string {
  const shown = host === address ? host : `${host} (${address})`;
  return `${callee}s are called on this machine only, and ${shown} is not on it: to send objects there, start the server with --webhook-allow=${host}`;
}

function failed(why: string): ResolvedTarget {
  return { ok: false, why };
}
