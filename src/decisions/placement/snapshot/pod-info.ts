import type { Pod } from "../../../api/generated/core-v1.ts";
import type { Labels } from "../../../api/labels/label-selector.ts";
import { deepEqual } from "../../../api/deep-equal.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import { type AffinityTerms, affinityTermsOf, hasTerms } from "./affinity-term.ts";
import type { Amounts } from "./amounts.ts";
import { type HostPort, hostPortsOf } from "./host-port.ts";
import { nonZeroRequest, podRequest } from "./pod-request.ts";
import { isObject, itemsOf, textOf } from "./reading.ts";

/** What placement reads of a Pod, computed once per change. */
export interface PodInfo {
  readonly pod: Pod;
  readonly name: string;
  readonly namespace: string;
  readonly labels: Labels;
  /** Being deleted: the Pod still takes up resources, but topology spread does not count it. */
  readonly isTerminating: boolean;
  readonly request: Amounts;
  /** The request with defaults for containers that request no CPU or memory. */
  readonly nonZeroRequest: Amounts;
  readonly hostPorts: readonly HostPort[];
  readonly affinity: AffinityTerms;
  readonly antiAffinity: AffinityTerms;
}

/** The infos of Pods: an object of the API does not change, and the same one is asked for at every step. */
const infos = new WeakMap<Pod, PodInfo>();

/** Returns the info of a Pod; malformed members count as absent. */
export function podInfo(pod: Pod): PodInfo {
  const known = infos.get(pod) ?? readPod(pod);
  infos.set(pod, known);
  return known;
}

function readPod(pod: Pod): PodInfo {
  const namespace = textOf(pod.metadata?.namespace);
  return {
    pod,
    name: textOf(pod.metadata?.name),
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

/**
 * The info of a Pod of which another state is known: what is computed from its spec is taken over where the spec is made
 * of the same objects, as it is after a binding or a change of labels. A resize shows in the status.
 */
export function samePodInfo(known: PodInfo, pod: Pod): PodInfo {
  const [old, now] = [known.pod, pod];
  const isSame =
    specMembers.every((member) => old.spec?.[member] === now.spec?.[member]) &&
    (old.status === now.status || !(mayBeResized(old) || mayBeResized(now))) &&
    known.namespace === textOf(pod.metadata?.namespace);
  if (!isSame) return podInfo(pod);
  const { metadata } = pod;
  return {
    ...known,
    pod,
    name: textOf(metadata?.name),
    labels: metadata?.labels,
    isTerminating: isBeingDeleted(pod),
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
  return [...itemsOf(status?.containerStatuses), ...itemsOf(status?.initContainerStatuses)].some(
    ({ resources }) => isObject(resources),
  );
}

/** Whether a Pod has affinity or anti-affinity to other Pods. */
export function hasAffinity({ affinity, antiAffinity }: PodInfo): boolean {
  return hasTerms(affinity) || hasTerms(antiAffinity);
}
