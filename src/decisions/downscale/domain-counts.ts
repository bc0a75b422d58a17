import type { Pod } from "../../api/generated/core-v1.ts";
import { matchesLabels } from "../../api/labels/label-selector.ts";
import { nodeOf } from "./co-location.ts";
import type { SpreadDomains } from "./facts.ts";
import { podsPerStep, type Steps } from "./steps.ts";

/** How many Pods are in the domains of one constraint; the counts fall while Pods are taken away. */
export interface DomainCounts {
  /** By index of the Pod: the number of its domain, or -1 where its node has no such label or is gone. */
  readonly domains: Int32Array;
  /** By index of the Pod: 1 when the constraint counts it. */
  readonly counted: Uint8Array;
  /** By number of the domain. */
  readonly counts: Int32Array;
  /** More than any domain has: Pods without a domain go first. */
  readonly unlabelled: number;
}

/** Counts the Pods of every domain, those of the workload's other ReplicaSets included. */
export function* countDomainsInSteps(
  pods: readonly Pod[],
  constraints: readonly SpreadDomains[],
): Steps<readonly DomainCounts[]> {
  const nodes = yield* numberNodes(pods);
  const counted: DomainCounts[] = [];
  for (const [index, constraint] of constraints.entries()) {
    // Constraints mostly select the same Pods, and to match labels takes longest.
    const alike = constraints
      .slice(0, index)
      .findIndex(({ selection }) => selection === constraint.selection);
    const matching = counted[alike]?.counted ?? (yield* matchingPods(pods, constraint));
    counted.push(countDomains(nodes, constraint, matching));
    yield;
  }
  return counted;
}

/** The nodes of Pods: their names, and by index of the Pod the number of its node. */
interface NumberedNodes {
  readonly names: readonly string[];
  readonly ofPod: Int32Array;
}

function* numberNodes(pods: readonly Pod[]): Steps<NumberedNodes> {
  const numbers = new Map<string, number>();
  const ofPod = new Int32Array(pods.length);
  for (const [index, pod] of pods.entries()) {
    const name = nodeOf(pod);
    const known = numbers.get(name) ?? numbers.size;
    if (known === numbers.size) numbers.set(name, known);
    ofPod[index] = known;
    if (index % podsPerStep === podsPerStep - 1) yield;
  }
  return { names: [...numbers.keys()], ofPod };
}

function* matchingPods(pods: readonly Pod[], { selection }: SpreadDomains): Steps<Uint8Array> {
  const matching = new Uint8Array(pods.length);
  for (const [index, pod] of pods.entries()) {
    matching[index] = Number(matchesLabels(selection, pod.metadata?.labels));
    if (index % podsPerStep === podsPerStep - 1) yield;
  }
  return matching;
}

function countDomains(
  { names, ofPod }: NumberedNodes,
  { domains, base }: SpreadDomains,
  counted: Uint8Array,
): DomainCounts {
  const numbers = new Map([...base.keys()].map((domain, number) => [domain, number]));
  const ofNode = names.map((name) => {
    const domain = domains.get(name);
    if (domain === undefined) return -1;
    const number = numbers.get(domain) ?? numbers.size;
    numbers.set(domain, number);
    return number;
  });
  const counts = new Int32Array(numbers.size);
  for (const [domain, count] of base) counts[numbers.get(domain) ?? 0] = count;
  const ofPods = new Int32Array(ofPod.length);
  for (let index = 0; index < ofPods.length; index++) {
    const domain = ofNode[ofPod[index] ?? 0] ?? -1;
    ofPods[index] = domain;
    if (domain >= 0) counts[domain] = (counts[domain] ?? 0) + (counted[index] ?? 0);
  }
  return { domains: ofPods, counted, counts, unlabelled: counts.reduce(larger, 0) + 1 };
}

const larger = (one: number, other: number): number => Math.max(one, other);

/** How many Pods are in the domain of a Pod now: its level, if it is the next to go. */
export function levelOf({ domains, counts, unlabelled }: DomainCounts, pod: number): number {
  const domain = domains[pod] ?? -1;
  return domain < 0 ? unlabelled : (counts[domain] ?? 0);
}

/** Takes a Pod out of the counts. */
export function takeAway({ domains, counts, counted }: DomainCounts, pod: number): void {
  const domain = domains[pod] ?? -1;
  if (domain >= 0) counts[domain] = (counts[domain] ?? 0) - (counted[pod] ?? 0);
}
