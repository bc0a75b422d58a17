import type { Container, Pod } from "../../api/generated/core-v1.ts";
import { milliUnits, parseQuantity } from "../../api/quantity/quantity.ts";

/** What a Pod requests of a resource, in thousandths, or why that is unknown. */
export type PodRequest = number | { readonly problem: string };

interface KnownRequest {
  readonly resource: string;
  readonly container: string | undefined;
  readonly request: PodRequest;
}

/** An object of the API does not change, and the same one is asked every 15 seconds, mostly for the same. */
const known = new WeakMap<Pod, KnownRequest>();

/** The request of a Pod for a resource, or of one of its containers. */
// upstream: calculateRequests
export function podRequestOf(pod: Pod, resource: string, container?: string): PodRequest {
  const last = known.get(pod);
  if (last?.resource === resource && last.container === container) return last.request;
  const request = readRequest(pod, resource, container);
  known.set(pod, { resource, container, request });
  return request;
}

function readRequest(pod: Pod, resource: string, container?: string): PodRequest {
  if (container !== undefined) return containerRequest(pod, resource, container);
  const { name } = pod.metadata;
  const ofPod = pod.spec.resources?.requests;
  if (ofPod === undefined) return requestOfAll(runningContainers(pod), pod, resource);
  return milliOf(ofPod[resource]) ?? { problem: `missing pod-level request for ${resource} in Pod ${name}` };
}

function containerRequest(pod: Pod, resource: string, name: string): PodRequest {
  const found = runningContainers(pod).find((container) => container.name === name);
  if (found === undefined) return { problem: `container ${name} not found in Pod ${pod.metadata.name}` };
  return requestOfAll([found], pod, resource);
}

function requestOfAll(containers: readonly Container[], { metadata }: Pod, resource: string): PodRequest {
  let sum = 0;
  for (const { name, resources } of containers) {
    const amount = milliOf(resources?.requests?.[resource]);
    if (amount === undefined)
      return { problem: `missing request for ${resource} in container ${name} of Pod ${metadata.name}` };
    sum += amount;
  }
  return sum;
}

function runningContainers({ spec }: Pod): readonly Container[] {
  return [...spec.containers, ...(spec.initContainers ?? []).filter(isSidecar)];
}

function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === "Always";
}

function milliOf(value: string | number | undefined): number | undefined {
  const quantity = parseQuantity(value);
  return quantity === undefined ? undefined : milliUnits(quantity);
}
