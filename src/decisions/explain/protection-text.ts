import { formatDuration } from "../../api/duration.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { protectedLabel, protectionLimitOf, protectUntilAnnotation } from "../../api/pod-protection.ts";
import { formatTime } from "../../api/time.ts";
import type { Protection } from "../downscale/protection.ts";
import type { DecidedPod } from "../downscale/reason.ts";
import type { HoldEnd } from "../replicas/replica-set-action.ts";
import type { ReplicaOwner } from "../replicas/replica-owner.ts";

/** Why a Pod may not be removed now, in the form of the reasons for removals: `protected: labelled trimtab.dev/protected`. */
export function protectionReason(because: Protection): string {
  switch (because.by) {
    case "label":
      return `protected: labelled ${protectedLabel}`;
    case "annotation":
      return `protected: until ${formatTime(because.until)}, by its annotation`;
    case "picker":
      return "protected: by the pod picker";
  }
}

/** Says how many Pods of an owner a scale-down would hold back, and for how long at most. */
export function heldSentence(owner: ReplicaOwner, pods: number): string {
  const limit = formatDuration(protectionLimitOf(owner).limitMs);
  return `${pods} of the Pods of ${owner.metadata.name} would be held back because Pods are protected, for ${limit} at most.`;
}

/** Says why nothing is held back any longer. */
export function holdEndMessage(because: HoldEnd): string {
  const causes: Readonly<Record<HoldEnd, string>> = {
    "size-reached": "there are no more Pods than the size asks for",
    "not-protected": "enough Pods are not protected any more",
    "gate-off": "the feature gate PodRemovalProtection is off",
    "not-steered": "protection is not looked at here any more",
    "other-size": "another size has been set since",
    withdrawn: "nobody asks for the smaller size any more",
  };
  return `No removal is held back any longer: ${causes[because]}`;
}

/** Limits the Pods that a sentence names. */
const namedPods = 5;

/** Names the Pods that go although they are protected. */
export function limitMessage(owner: ReplicaOwner, victims: readonly DecidedPod[]): string {
  const { limitMs } = protectionLimitOf(owner);
  const names = namesOf(victims.map(({ pod }) => pod));
  return `Removing although protected, since the limit of ${formatDuration(limitMs)} has come: ${names}`;
}

/** Names Pods whose annotation is not a time. */
export function unreadableMessage(pods: readonly Pod[]): string {
  return `Annotation ${protectUntilAnnotation} is not a time such as 2026-01-31T12:00:00Z and protects nothing: ${namesOf(pods)}`;
}

function namesOf(pods: readonly Pod[]): string {
  const names = pods.map(({ metadata }) => metadata.name);
  const more = names.length > namedPods ? ` and ${names.length - namedPods} more` : "";
  return `${names.slice(0, namedPods).join(", ")}${more}`;
}
