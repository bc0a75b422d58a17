import type { Container, Pod } from "../../api/generated/core-v1.ts";
import { milliUnits, parseQuantity } from "../../api/quantity/quantity.ts";

/** What a Pod requests of a resource, in thousandths, or why that is unknown. */
export type PodRequest = number | { readonly problem: string };

/** An object of the API does not change, and the same one is asked for every 15 seconds. */
const known = new WeakMap<Pod, Map<string, PodRequest>>();

/** The request of a Pod for a resource, or of one of its containers. */
// upstream: calculateRequests
export function podRequestOf(pod: Pod, resource: string, container?: string): PodRequest {
  const requests = known.get(pod) ?? new Map<string, PodRequest>();
  if (requests.size === 0) known.set(pod, requests);
  const key = `${resource}/${container ?? ""}`;
  const request = requests.get(key) ?? readRequest(pod, resource, container);
  requests.set(key, request);
  return request;
}

function readRequest(pod: Pod, resource: string, container?: string): PodRequest {
  const { name } = pod.metadata;
  if (container === undefined && pod.spec.resources?.requests !== undefined) {
    const amount = milliOf(pod.spec.resources.requests[resource]);
    return amount ?? { problem: `missing pod-level request for ${resource} in Pod ${name}` };
  }
  const running = [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? []).filter(isSidecar)];
  const counted = container === undefined ? running : running.filter((each) => each.name === container);
  if (counted.length === 0 && container !== undefined)
    return { problem: `container ${container} not found in Pod ${name}` };
  let sum = 0;
  for (const each of counted) {
    const amount = milliOf(each.resources?.requests?.[resource]);
    if (amount === undefined)
      return { problem: `missing request for ${resource} in container ${each.name} of Pod ${name}` };
    sum += amount;
  }
  return sum;
}

function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === "Always";
}

function milliOf(value: string | number | undefined): number | undefined {
  const quantity = parseQuantity(value);
  return quantity === undefined ? undefined : milliUnits(quantity);
}
