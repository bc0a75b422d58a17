import type { ContainerStatus, Pod } from "../../../api/generated/core-v1.ts";
import type { Labels } from "../../../api/labels/label-selector.ts";
import { deepEqual } from "../../../api/deep-equal.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import { type AffinityTerms, affinityTermsOf, hasTerms } from "./affinity-term.ts";
import type { ResourceAmounts } from "./amounts.ts";
import { type HostPort, hostPortsOf } from "./host-port.ts";
import { nonZeroRequest, podRequest } from "./pod-request.ts";
import { isObject, itemsOf, numberOf, stringOf } from "./reading.ts";

/** What placement reads of a Pod, computed once per change. */
export interface PodInfo {
  readonly pod: Pod;
  readonly name: string;
  readonly namespace: string;
  readonly labels: Labels;
  /** Being deleted: the Pod still takes up resources, but topology spread does not count it. */
  readonly isTerminating: boolean;
  readonly request: ResourceAmounts;
  /** The request with defaults for containers that request no CPU or memory. */
  readonly nonZeroRequest: ResourceAmounts;
  readonly hostPorts: readonly HostPort[];
  readonly affinity: AffinityTerms;
  readonly antiAffinity: AffinityTerms;
}

/** The infos of Pods: an object of the API does not change, and the same one is asked for at every step. */
const infos = new WeakMap<Pod, PodInfo>();

/** The info that was computed last: the Pods of a workload come one after the other, and differ only in their names. */
let latest: PodInfo | undefined;

/** Returns the info of a Pod; malformed members count as absent. */
export function podInfo(pod: Pod): PodInfo {
  const known = infos.get(pod);
  if (known !== undefined) return known;
  const read = (latest && infoLike(latest, pod)) ?? readPod(pod);
  infos.set(pod, read);
  latest = read;
  return read;
}

function readPod(pod: Pod): PodInfo {
  const namespace = stringOf(pod.metadata?.namespace);
  return {
    pod,
    name: stringOf(pod.metadata?.name),
    namespace,
    labels: pod.metadata?.labels,
    isTerminating: isBeingDeleted(pod),
    request: podRequest(pod),
    nonZeroRequest: nonZeroRequest(pod),
    hostPorts: hostPortsOf(pod),
    affinity: affinityTermsOf(pod.spec?.affinity?.podAffinity, namespace),
    antiAffinity: affinityTermsOf(pod.spec?.affinity?.podAntiAffinity, namespace),
  };
}

/** The info of a Pod of which another state is known. */
export function samePodInfo(known: PodInfo, pod: Pod): PodInfo {
  return infoLike(known, pod) ?? podInfo(pod);
}

/**
 * The info of a Pod by that of another or of an earlier state: what is computed from the spec is taken over where that is
 * the same. A resize shows in the status.
 */
function infoLike(known: PodInfo, pod: Pod): PodInfo | undefined {
  const [old, now] = [known.pod, pod];
  const isSame =
    known.namespace === stringOf(pod.metadata?.namespace) &&
    (old.status === now.status || !(mayBeResized(old) || mayBeResized(now))) &&
    (old.spec === now.spec ||
      specMembers.every((member) => deepEqual(old.spec?.[member], now.spec?.[member])));
  if (!isSame) return undefined;
  const { metadata } = pod;
  const { namespace, request, nonZeroRequest, hostPorts, affinity, antiAffinity } = known;
  // Lists the members, since object spread would cost several times as much.
  return {
    pod,
    name: stringOf(metadata?.name),
    namespace,
    labels: metadata?.labels,
    isTerminating: isBeingDeleted(pod),
    request,
    nonZeroRequest,
    hostPorts,
    affinity,
    antiAffinity,
  };
}

/** Whether two states of a Pod are the same to everything that is counted or summed up over Pods. */
export function isCountedAlike(before: PodInfo, after: PodInfo): boolean {
  return (
    before.request === after.request &&
    before.nonZeroRequest === after.nonZeroRequest &&
    before.hostPorts === after.hostPorts &&
    before.affinity === after.affinity &&
    before.antiAffinity === after.antiAffinity &&
    before.isTerminating === after.isTerminating &&
    before.namespace === after.namespace &&
    (before.labels === after.labels || deepEqual(before.labels, after.labels))
  );
}

const specMembers = ["containers", "initContainers", "overhead", "resources", "affinity"] as const;

/** Whether the status has resources of containers, which count during a resize. */
function mayBeResized({ status }: Pod): boolean {
  return hasResources(status?.containerStatuses) || hasResources(status?.initContainerStatuses);
}

function hasResources(statuses: readonly ContainerStatus[] | undefined): boolean {
  return itemsOf(statuses).some(({ resources }) => isObject(resources));
}

/** Whether a Pod has affinity or anti-affinity to other Pods. */
export function hasAffinity({ affinity, antiAffinity }: PodInfo): boolean {
  return hasTerms(affinity) || hasTerms(antiAffinity);
}

/** The priority of a Pod, which is 0 for one that has none. */
export function priorityOf({ spec }: Pod): number {
  return numberOf(spec?.priority, 0);
}
