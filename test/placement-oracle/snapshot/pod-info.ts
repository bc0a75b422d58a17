import type { Pod } from "../../../src/api/generated/core-v1.ts";
import type { Labels } from "../../../src/api/labels/label-selector.ts";
import { isBeingDeleted } from "../../../src/api/object.ts";
import {
  type AffinityTerms,
  affinityTermsOf,
  hasTerms,
} from "../../../src/decisions/placement/objects/affinity-term.ts";
import type { ResourceAmounts } from "../../../src/decisions/placement/objects/amounts.ts";
import { type HostPort, hostPortsOf } from "../../../src/decisions/placement/objects/host-port.ts";
import { nonZeroRequest, podRequest } from "../../../src/decisions/placement/objects/pod-request.ts";
import { stringOf } from "../../../src/decisions/placement/objects/reading.ts";

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

/** Computes the info of a Pod; malformed members count as absent. */
export function podInfo(pod: Pod): PodInfo {
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

/** Whether a Pod has affinity or anti-affinity to other Pods. */
export function hasAffinity({ affinity, antiAffinity }: PodInfo): boolean {
  return hasTerms(affinity) || hasTerms(antiAffinity);
}
