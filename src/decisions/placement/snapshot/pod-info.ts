import type { Pod } from "../../../api/generated/core-v1.ts";
import type { Labels } from "../../../api/labels/label-selector.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import { type AffinityTerms, affinityTermsOf, hasTerms } from "./affinity-term.ts";
import type { Amounts } from "./amounts.ts";
import { type HostPort, hostPortsOf } from "./host-port.ts";
import { nonZeroRequest, podRequest } from "./pod-request.ts";
import { textOf } from "./reading.ts";

/** What placement has to know about a Pod, read once. */
export interface PodInfo {
  readonly pod: Pod;
  readonly name: string;
  readonly namespace: string;
  readonly labels: Labels;
  /** Asked to end. Such a Pod still takes up room, but nobody is spread away from it. */
  readonly isTerminating: boolean;
  readonly request: Amounts;
  /** The request with something for containers that do not say. */
  readonly nonZeroRequest: Amounts;
  readonly hostPorts: readonly HostPort[];
  readonly affinity: AffinityTerms;
  readonly antiAffinity: AffinityTerms;
}

/** Reads a Pod; whatever it is, there is an answer. */
export function podInfo(pod: Pod): PodInfo {
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

/** Whether a Pod wants anybody near or far. */
export function hasAffinity({ affinity, antiAffinity }: PodInfo): boolean {
  return hasTerms(affinity) || hasTerms(antiAffinity);
}
