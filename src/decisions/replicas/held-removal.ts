import { findCondition, removalHeldCondition, withoutCondition } from "../../api/conditions.ts";
import { heldRemovalLabel, protectionLimitOf } from "../../api/pod-protection.ts";
import { formatTime, type Instant } from "../../api/time.ts";
import { continueHold, type Hold, nextLimitAt, overdueIn, readHold } from "../downscale/hold.ts";
import type { ProtectedPod } from "../downscale/protection.ts";
import type { Conditions } from "./replica-failure.ts";
import { desiredReplicasOf, type ReplicaOwner } from "./replica-owner.ts";

/** A removal that is held back, and for which Pods. */
export interface HeldRemoval {
  /** How many Pods there are beyond the size. */
  readonly pods: number;
  readonly size: number;
  /** The protected Pods: some or all of them have to go. */
  readonly protected: readonly ProtectedPod[];
  readonly hold: Hold;
  /** How many of them have been held back for as long as the limit allows. */
  readonly overdue: number;
  /** When it began. */
  readonly since: Instant;
  /** When the next Pod may go although it is protected. */
  readonly nextLimitAt: Instant;
  /** When the last one may. */
  readonly until: Instant;
}

/** What a state says about a hold. */
export interface HeldPods {
  readonly owner: ReplicaOwner;
  readonly pods: number;
  readonly protected: readonly ProtectedPod[];
  readonly now: Instant;
}

/** The removal that is held back when so many protected Pods are too many. */
export function heldRemoval({ owner, pods, protected: isProtected, now }: HeldPods): HeldRemoval {
  const size = desiredReplicasOf(owner) ?? 0;
  const hold = continueHold(holdOf(owner), { size, pods, now });
  const { limitMs } = protectionLimitOf(owner);
  return {
    pods,
    size,
    protected: isProtected,
    hold,
    overdue: overdueIn(hold, limitMs, now),
    since: hold.steps[0]?.since ?? now,
    nextLimitAt: nextLimitAt(hold, limitMs),
    until: (hold.steps.at(-1)?.since ?? now) + limitMs,
  };
}

/** The hold that an owner shows. */
export function holdOf({ metadata }: ReplicaOwner): Hold | undefined {
  return readHold(metadata.labels?.[heldRemovalLabel]);
}

/** Whether an owner shows a hold, or what is left of one. */
export function showsHold({ metadata }: ReplicaOwner): boolean {
  return Object.hasOwn(metadata.labels ?? {}, heldRemovalLabel);
}

/** What is known about a hold when a status is written. */
export type HoldReport =
  /** Nothing was decided: the reported condition stays. */
  | { readonly kind: "unknown" }
  | { readonly kind: "none" }
  | { readonly kind: "held"; readonly held: HeldRemoval };

/** The conditions with the one about a removal that is held back; an empty list becomes absent. */
export function withRemovalHeld(conditions: Conditions, report: HoldReport, now: Instant): Conditions {
  switch (report.kind) {
    case "unknown":
      return conditions;
    case "none":
      return withoutHeld(conditions);
    case "held":
      return withHeld(conditions, heldMessage(report.held), now);
  }
}

function withoutHeld(conditions: Conditions): Conditions {
  if (findCondition(conditions, removalHeldCondition) === undefined) return conditions;
  const others = withoutCondition(conditions, removalHeldCondition);
  return others.length === 0 ? undefined : others;
}

/** Another message is not a transition. */
function withHeld(conditions: Conditions, message: string, now: Instant): Conditions {
  const present = findCondition(conditions, removalHeldCondition);
  const isHeld = present?.status === "True";
  if (isHeld && present.message === message) return conditions;
  const lastTransitionTime = (isHeld ? present.lastTransitionTime : undefined) ?? formatTime(now);
  const condition = { type: removalHeldCondition, status: "True", reason: "ProtectedPods", message };
  return [...withoutCondition(conditions, removalHeldCondition), { ...condition, lastTransitionTime }];
}

/** Limits the Pods that a message names. */
const namedPods = 3;

/** Says who is waited for, since when, and until when at the latest. */
export function heldMessage({ pods, size, protected: held, since, until }: HeldRemoval): string {
  const plural = pods === 1 ? "1 Pod is" : `${pods} Pods are`;
  const [from, to] = [formatTime(since), formatTime(until)];
  return `${plural} kept beyond the size of ${size} because ${protectedNames(held)}; since ${from}, until ${to} at the latest`;
}

/** `web-a, web-b, web-c and 4 more are protected`. */
export function protectedNames(held: readonly ProtectedPod[]): string {
  const names = held.map(({ pod }) => pod.metadata.name).toSorted();
  const more = names.length > namedPods ? ` and ${names.length - namedPods} more` : "";
  const verb = names.length === 1 ? "is" : "are";
  return `${names.slice(0, namedPods).join(", ")}${more} ${verb} protected`;
}
