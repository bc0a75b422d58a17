import type { Pod } from "../../api/generated/core-v1.ts";
import { endpointAnnotation } from "../../api/well-known.ts";
import { networkOf } from "../addresses/address-faces.ts";
import { type AddressPolicy, emptyAllowList, isAddressAllowed } from "../addresses/address-policy.ts";
import type { IsApiServer } from "../addresses/api-server-guard.ts";
import { parseEndpoint } from "../addresses/service-endpoints.ts";
import type { SourceFailure } from "./sources/source.ts";

/** Where a Pod is asked. */
export interface PodAddress {
  readonly address: string;
  readonly port: number;
}

export interface PodEndpointRules {
  /** Whether Pods are simulated: their own addresses are then never dialled. */
  readonly isSimulated: boolean;
  readonly isApiServer: IsApiServer;
}

/** Pods may be anywhere but on this machine and where nothing may be: their addresses come from the API. */
const realPods: AddressPolicy = {
  loopback: false,
  allowed: { hosts: new Set(), networks: ["0.0.0.0/0", "::/0"].map(networkOf) },
};
/** The servers of simulated Pods are on this machine, where an annotation says. */
const simulatedPods: AddressPolicy = { loopback: true, allowed: emptyAllowList };

/** Where to ask a Pod, by the address in its status and the port of its container. */
export async function endpointOf(
  pod: Pod,
  port: number | string,
  { isSimulated, isApiServer, signal }: PodEndpointRules & { readonly signal: AbortSignal },
): Promise<PodAddress | SourceFailure> {
  const found = isSimulated ? simulatedEndpoint(pod) : realEndpoint(pod, port);
  if (!("address" in found)) return found;
  const policy = isSimulated ? simulatedPods : realPods;
  if (!isAddressAllowed(found.address, "", policy)) return { class: "AddressNotAllowed" };
  const dialed = { addresses: [found.address], port: found.port };
  return (await isApiServer(dialed, signal)) ? { class: "AddressNotAllowed" } : found;
}

function simulatedEndpoint({ metadata }: Pod): PodAddress | SourceFailure {
  const endpoint = parseEndpoint(metadata.annotations?.[endpointAnnotation] ?? "");
  return (
    endpoint ?? { class: "HostUnresolved", detail: `the Pod is simulated, without ${endpointAnnotation}` }
  );
}

function realEndpoint({ spec, status }: Pod, port: number | string): PodAddress | SourceFailure {
  const address = status?.podIP;
  if (address === undefined || address === "")
    return { class: "HostUnresolved", detail: "the Pod has no address" };
  const number =
    typeof port === "number"
      ? port
      : spec.containers.flatMap(({ ports = [] }) => ports).find(({ name }) => name === port)?.containerPort;
  return number === undefined ? { class: "PortUnresolved" } : { address, port: number };
}
