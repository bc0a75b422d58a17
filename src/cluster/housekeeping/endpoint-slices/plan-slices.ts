import { deepEqual } from "../../../api/deep-equal.ts";
import type { Endpoint, EndpointPort, EndpointSlice } from "../../../api/generated/discovery-v1.ts";
import type { PortedEndpoint } from "./endpoint-of-pod.ts";

/** Limits the endpoints of one slice. */
// upstream: --max-endpoints-per-slice
export const maxEndpointsPerSlice = 100;

/** The endpoints and ports of a slice. */
export interface SliceContent {
  readonly endpoints: readonly Endpoint[];
  readonly ports: readonly EndpointPort[];
}

/** The writes after which the slices of a Service hold its endpoints. */
export interface SlicePlan {
  readonly create: readonly SliceContent[];
  readonly update: readonly { readonly slice: EndpointSlice; readonly content: SliceContent }[];
  readonly remove: readonly EndpointSlice[];
}

/**
 * Distributes endpoints to slices, those with the same ports together. An endpoint stays in its slice, and new ones
 * fill the free places, so that few slices are written. A Service without endpoints has one empty slice.
 */
export function planSlices(wanted: readonly PortedEndpoint[], stored: readonly EndpointSlice[]): SlicePlan {
  const groups = groupByPorts(wanted);
  const plan = {
    create: [] as SliceContent[],
    update: [] as SlicePlan["update"][number][],
    remove: [] as EndpointSlice[],
  };
  const claimed = new Set<EndpointSlice>();
  for (const { ports, endpoints } of groups) {
    const slices = stored.filter((slice) => !claimed.has(slice) && deepEqual(slice.ports ?? [], ports));
    for (const slice of slices) claimed.add(slice);
    planGroup({ ports, endpoints }, slices, plan);
  }
  plan.remove.push(...stored.filter((slice) => !claimed.has(slice)));
  return plan;
}

interface Group {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

function groupByPorts(wanted: readonly PortedEndpoint[]): readonly Group[] {
  const groups = new Map<string, { ports: readonly EndpointPort[]; endpoints: Endpoint[] }>();
  for (const { endpoint, ports } of wanted) {
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, endpoints: [] };
    group.endpoints.push(endpoint);
    groups.set(key, group);
  }
  return groups.size === 0 ? [{ ports: [], endpoints: [] }] : [...groups.values()];
}

interface Plan {
  readonly create: SliceContent[];
  readonly update: { slice: EndpointSlice; content: SliceContent }[];
  readonly remove: EndpointSlice[];
}

function planGroup({ ports, endpoints }: Group, slices: readonly EndpointSlice[], plan: Plan): void {
  const left = new Map(endpoints.map((endpoint) => [uidOf(endpoint), endpoint]));
  const kept = slices.map((slice) => {
    const staying = (slice.endpoints ?? []).flatMap((endpoint) => {
      const wanted = left.get(uidOf(endpoint));
      left.delete(uidOf(endpoint));
      return wanted === undefined ? [] : [wanted];
    });
    return { slice, staying };
  });
  const rest = [...left.values()];
  for (const { slice, staying } of kept) {
    const filled = [...staying, ...rest.splice(0, maxEndpointsPerSlice - staying.length)];
    const isNeeded = filled.length > 0 || (endpoints.length === 0 && slice === slices[0]);
    if (!isNeeded) plan.remove.push(slice);
    else if (!deepEqual(filled, slice.endpoints ?? []))
      plan.update.push({ slice, content: { ports, endpoints: filled } });
  }
  while (rest.length > 0) plan.create.push({ ports, endpoints: rest.splice(0, maxEndpointsPerSlice) });
  if (endpoints.length === 0 && slices.length === 0) plan.create.push({ ports, endpoints: [] });
}

function uidOf({ targetRef }: Endpoint): string {
  return targetRef?.uid ?? "";
}
