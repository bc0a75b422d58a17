import { endpointAnnotation } from "../../api/well-known.ts";
import type { Service } from "../../api/generated/core-v1.ts";
import { parseIp } from "../../api/ip-address.ts";
import { endpointSlices } from "../../api/resources.ts";
import type { Client, ObjectName } from "../../machinery/client/client.ts";
import { permanentFailure, type PickerFailure, transientFailure } from "../picker-failure.ts";

/** The Service that a host may name. */
export interface ServiceName extends ObjectName {
  readonly namespace: string;
  /** Whether the host can be nothing else: `web` and `web.shop.svc`, but not `web.shop`, which may be a DNS name. */
  readonly isCertain: boolean;
}

/** Reads a host as a Pod in this namespace would resolve it: `svc`, `svc.ns`, `svc.ns.svc` and any domain after it. */
export function parseServiceHost(host: string, ownNamespace: string): ServiceName | undefined {
  const [name = "", namespace, svc] = host.toLowerCase().split(".");
  if (parseIp(host) !== undefined || host.toLowerCase() === "localhost") return undefined;
  if (namespace === undefined) return { name, namespace: ownNamespace, isCertain: true };
  if (svc === undefined) return { name, namespace, isCertain: false };
  return svc === "svc" ? { name, namespace, isCertain: true } : undefined;
}

/** The addresses of a picker; each of them may be called. */
export interface PickerEndpoints {
  readonly kind: "endpoints";
  readonly addresses: readonly string[];
  readonly port: number;
  /** Dialled instead of `port`. */
  readonly dialPort?: number;
}

/** The endpoint of a simulated Service, from its annotation. */
export function endpointsOfSimulated(
  service: Service,
  port: number | string,
): PickerEndpoints | PickerFailure {
  const endpoint = parseEndpoint(service.metadata.annotations?.[endpointAnnotation] ?? "");
  if (endpoint === undefined) return permanentFailure("HostUnresolved");
  const number = portOf(service, port);
  if (number === undefined) return permanentFailure("PortUnresolved");
  return { kind: "endpoints", addresses: [endpoint.address], port: number, dialPort: endpoint.port };
}

/** Reads an annotation with an address and a port, such as `127.0.0.1:8080`; `undefined` if it is none. */
export function parseEndpoint(text: string): { readonly address: string; readonly port: number } | undefined {
  const { address, digits } =
    /^\[?(?<address>[0-9a-fA-F.:]+)\]?:(?<digits>\d{1,5})$/.exec(text)?.groups ?? {};
  const port = Number(digits);
  return address !== undefined && port >= 1 && port <= 65_535 ? { address, port } : undefined;
}

/** The cluster IPs of a Service. */
export function endpointsOfClusterIp(
  service: Service,
  port: number | string,
): PickerEndpoints | PickerFailure {
  const { clusterIP = "", clusterIPs = [] } = service.spec;
  const addresses = clusterIPs.length > 0 ? clusterIPs : [clusterIP].filter((address) => address !== "");
  const number = portOf(service, port);
  if (number === undefined) return permanentFailure("PortUnresolved");
  return addresses.length === 0
    ? transientFailure("HostUnresolved")
    : { kind: "endpoints", addresses, port: number };
}

/** The ready endpoints of a headless Service: those of the first EndpointSlice that has any. */
export async function endpointsOfHeadless(
  { metadata }: Service,
  port: number | string,
  { client, signal }: { readonly client: Client; readonly signal: AbortSignal },
): Promise<PickerEndpoints | PickerFailure> {
  const { namespace, name } = metadata;
  const labelSelector = `kubernetes.io/service-name=${name}`;
  const { items } = await client.list(endpointSlices, { namespace, labelSelector }, signal);
  const ready = items
    .map(({ endpoints = [], ports = [] }) => ({
      ports,
      addresses: endpoints
        .filter(({ conditions }) => conditions?.ready !== false)
        .flatMap(({ addresses }) => addresses),
    }))
    .find(({ addresses }) => addresses.length > 0);
  if (ready === undefined) return transientFailure("HostUnresolved");
  // A headless Service has no proxy that maps ports: a number is the port of the Pod.
  const number = typeof port === "number" ? port : ready.ports.find(({ name }) => name === port)?.port;
  return number === undefined
    ? permanentFailure("PortUnresolved")
    : { kind: "endpoints", addresses: ready.addresses, port: number };
}

/** The number of a Service's port, which may be given by name. */
export function portOf({ spec }: Service, port: number | string): number | undefined {
  return typeof port === "number" ? port : spec.ports?.find(({ name }) => name === port)?.port;
}
