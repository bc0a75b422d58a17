import type { Pod } from "../../api/generated/core-v1.ts";
import { ownProtectionOf } from "../../api/pod-protection.ts";
import { isActive } from "../../api/pod-state.ts";
import type { Instant } from "../../api/time.ts";
import { isCandidate } from "./picker-question.ts";

/** What protects a Pod from being removed. */
export type Protection =
  | { readonly by: "label" }
  | { readonly by: "annotation"; readonly until: Instant }
  /** The answer of the pod picker. */
  | { readonly by: "picker" };

/** A Pod that may not be removed now, and why. */
export interface ProtectedPod {
  readonly pod: Pod;
  readonly because: Protection;
}

/** The Pods of an owner by whether they may be removed now; each list in the order that was given. */
export interface ProtectionSplit {
  readonly free: readonly Pod[];
  readonly protected: readonly ProtectedPod[];
  /** Those whose annotation is not a time; they are not protected. */
  readonly unreadable: readonly Pod[];
}

/** What is known about protection besides the Pods themselves. */
export interface ProtectionFacts {
  readonly now: Instant;
  /** The names of the Pods that the picker protects; absent: none. */
  readonly named?: ReadonlySet<string> | undefined;
}

/**
 * Tells the Pods that may be removed from those that may not. A Pod without a node, not Running or not Ready does no work
 * that could be lost, so nothing protects it.
 */
export function splitByProtection(pods: readonly Pod[], { now, named }: ProtectionFacts): ProtectionSplit {
  const free: Pod[] = [];
  const held: ProtectedPod[] = [];
  const unreadable: Pod[] = [];
  for (const pod of pods) {
    const own = ownProtectionOf(pod, now);
    if (own.kind === "unreadable") unreadable.push(pod);
    const isNamed = named?.has(pod.metadata.name) === true;
    let because: Protection | undefined;
    if (own.kind === "label") because = { by: "label" };
    else if (own.kind === "until") because = { by: "annotation", until: own.until };
    else if (isNamed) because = { by: "picker" };
    if (because === undefined || !isProtectable(pod)) free.push(pod);
    else held.push({ pod, because });
  }
  return { free, protected: held, unreadable };
}

/** Whether a Pod may do work that could be lost. */
function isProtectable(pod: Pod): boolean {
  return isActive(pod) && isCandidate(pod);
}

/** When the protection of one of the Pods ends by itself; `undefined` when none does. */
export function protectionEndsAt(pods: readonly ProtectedPod[]): Instant | undefined {
  const ends = pods.flatMap(({ because }) => (because.by === "annotation" ? [because.until] : []));
  return ends.length === 0 ? undefined : ends.reduce((first, end) => Math.min(first, end));
}
