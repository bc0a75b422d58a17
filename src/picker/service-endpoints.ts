import type { Service } from "../api/generated/core-v1.ts";
import { endpointSlices } from "../api/resources.ts";
import type { Client } from "../machinery/client/client.ts";
import { permanentFailure, transientFailure, type PickerFailure } from "./picker-failure.ts";

/** Where something is: any of these addresses will do. */
export interface PickerEndpoints {
  readonly kind: "places";
  readonly addresses: readonly string[];
  readonly port: number;
  /** What is dialled instead of `port`. */
  readonly dialPort?: number;
}

/** Says where in reality the picker of a simulated Service runs: `127.0.0.1:PORT`. */
export const endpointAnnotation = "sim.trimtab.dev/endpoint";

/** Where a simulated Service is: nowhere but where its annotation says. */
export function endpointsOfSimulated(
  service: Service,
  port: number | string,
): PickerEndpoints | PickerFailure {
  const endpoint = service.metadata.annotations?.[endpointAnnotation] ?? "";
  const { address, digits } =
    /^\[?(?<address>[0-9a-fA-F.:]+)\]?:(?<digits>\d{1,5})$/.exec(endpoint)?.groups ?? {};
  const dialPort = Number(digits);
  if (address === undefined || !(dialPort >= 1 && dialPort <= 65_535))
    return permanentFailure("HostUnresolved");
  const number = portOf(service, port);
  if (number === undefined) return permanentFailure("PortUnresolved");
  return { kind: "places", addresses: [address], port: number, dialPort };
}

/** Where a Service with an address of its own is. */
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
    : { kind: "places", addresses, port: number };
}

/** Where the ready endpoints of a headless Service are: those of the first slice that has any. */
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
  // Nobody translates ports in front of a headless Service: a number is the port of the Pod itself.
  const number = typeof port === "number" ? port : ready.ports.find(({ name }) => name === port)?.port;
  return number === undefined
    ? permanentFailure("PortUnresolved")
    : { kind: "places", addresses: ready.addresses, port: number };
}

/** The number of a Service's port, by name. */
export function portOf({ spec }: Service, port: number | string): number | undefined {
  return typeof port === "number" ? port : spec.ports?.find(({ name }) => name === port)?.port;
}
