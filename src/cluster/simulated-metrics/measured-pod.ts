import type { Container, Pod } from "../../api/generated/core-v1.ts";
import type { OwnerReference } from "../../api/generated/meta-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { isReady } from "../../api/pod-state.ts";
import { parseQuantity } from "../../api/quantity/quantity.ts";
import { type Instant, parseTime } from "../../api/time.ts";
import { loadAnnotation, loadWeightAnnotation } from "./annotated-load.ts";

/** How long a container is measured before its usage is known (upstream: metrics-server's resolution). */
export const measuringWindowMs = 15_000;

/** What simulated metrics read of a Pod. */
export interface MeasuredPod {
  /** When its usage is first known; infinite while its containers do not all run. */
  readonly measuredFrom: Instant;
  /** Ready and not being deleted: it gets its share of the load. */
  readonly isServing: boolean;
  readonly weight: number;
  readonly hasOwnLoad: boolean;
  readonly controller: OwnerReference | undefined;
}

/** Caches by object: API objects do not change, and each is read every 15 seconds. */
const known = new WeakMap<Pod, MeasuredPod>();

export function measuredPod(pod: Pod): MeasuredPod {
  const found = known.get(pod);
  if (found !== undefined) return found;
  const measured = {
    measuredFrom: measuredFrom(pod),
    isServing: isReady(pod) && !isBeingDeleted(pod),
    weight: weightOf(pod.metadata.annotations?.[loadWeightAnnotation]),
    hasOwnLoad: pod.metadata.annotations?.[loadAnnotation] !== undefined,
    controller: controllerOf(pod),
  };
  known.set(pod, measured);
  return measured;
}

function measuredFrom({ spec, status }: Pod): Instant {
  const statuses = status?.phase === "Running" ? (status.containerStatuses ?? []) : [];
  if (statuses.length < spec.containers.length) return Number.POSITIVE_INFINITY;
  const starts = statuses.map(({ state }) => startOf(state?.running));
  return Math.max(...starts) + measuringWindowMs;
}

function startOf(running: { readonly startedAt?: string } | undefined): Instant {
  return running === undefined ? Number.POSITIVE_INFINITY : (parseTime(running.startedAt) ?? 0);
}

/** The largest weight of a Pod. */
export const mostWeight = 1000;

/** Whether a text is the weight of a Pod. */
export function isLoadWeight(text: string): boolean {
  return /^(?:[0-9]+|[0-9]*\.[0-9]+)$/.test(text) && Number(text) <= mostWeight;
}

/** Returns the weight of a Pod; an invalid text counts as absent, since the kubelet reports it in an event. */
function weightOf(text: string | undefined): number {
  return text !== undefined && isLoadWeight(text) ? Number(text) : 1;
}

/** Returns the container that has a load: the one it names, or the first. */
export function loadedContainer(pod: Pod, name: string | undefined): Container | undefined {
  const { containers } = pod.spec;
  return name === undefined ? containers[0] : containers.find((container) => container.name === name);
}

/** Returns the limit of a container for a resource; infinite without one. */
export function limitOf({ resources }: Container, resource: string): number {
  const quantity = resources?.limits === undefined ? undefined : parseQuantity(resources.limits[resource]);
  return quantity === undefined ? Number.POSITIVE_INFINITY : Number(quantity.nanos) / 1e9;
}
