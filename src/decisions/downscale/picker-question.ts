import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isReady } from "../../api/pod-state.ts";
import { arrange, podAt, tiedGroups } from "./arrange.ts";
import { wholeCount } from "./choose-victims.ts";
import { deletionCost } from "../../api/deletion-cost.ts";
import type { Facts } from "./facts.ts";
import { isAssigned, preferredLabel, removalOrder } from "./rules.ts";

/** Whether a picker has anything to decide, and what it is asked. */
export type PickerQuestion =
  | { readonly kind: "NotNeeded" }
  | {
      readonly kind: "Ask";
      /** The Pods to choose from, by name: assigned, Running and Ready, and equal in all rules above the picker. */
      readonly candidates: readonly Pod[];
      /** How many of them will go: at least one, and all only where the picker may protect them. */
      readonly requested: number;
    };

const rulesAbovePicker = removalOrder.slice(
  0,
  removalOrder.findIndex(({ name }) => name === "picker"),
);

/**
 * Finds what the rules above the picker leave open when `count` Pods have to be removed: the one group of equals that
 * the cut goes through. Pods removed before that group lower the number asked for; a cut between groups needs no picker.
 */
export function pickerQuestion(pods: readonly Pod[], count: number, facts: Facts): PickerQuestion {
  const removed = wholeCount(count, pods.length);
  if (!facts.gates.DownscalePodPicker || removed === 0) return { kind: "NotNeeded" };
  if (facts.gates.PodRemovalProtection) return questionToAll(pods, removed);
  const arrangement = arrange(pods, { rules: rulesAbovePicker, facts, length: removed + 1 });
  let before = 0;
  for (const group of tiedGroups(arrangement)) {
    const requested = removed - before;
    if (requested < group.length)
      return ask(
        group.map((index) => podAt(pods, index)),
        requested,
      );
    before += group.length;
  }
  return { kind: "NotNeeded" };
}

/**
 * The question to a picker that may protect Pods: it is asked about every Pod that could go, since one that takes the
 * place of a protected one may be busy, too. The others go first by the rules above it.
 */
function questionToAll(pods: readonly Pod[], removed: number): PickerQuestion {
  const candidates = pods.filter(isCandidate);
  return ask(candidates, removed - (pods.length - candidates.length));
}

function ask(tied: readonly Pod[], requested: number): PickerQuestion {
  if (requested <= 0 || !tied.every(isCandidate)) return { kind: "NotNeeded" };
  const nameOf = (pod: Pod): string => pod.metadata?.name ?? "";
  return { kind: "Ask", candidates: tied.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)), requested };
}

/** Whether candidates differ in deletion cost or label, which come before the picker in the removal order. */
export function overrulesPicker(pods: readonly Pod[], gates: FeatureGates): boolean {
  const candidates = pods.filter(isCandidate);
  const differ = (valueOf: (pod: Pod) => unknown) => new Set(candidates.map(valueOf)).size > 1;
  return (
    (gates.PodDeletionCost && differ(deletionCost)) ||
    (gates.PreferForScaleDownLabel &&
      differ((pod) => Object.hasOwn(pod.metadata.labels ?? {}, preferredLabel)))
  );
}

/** Whether a Pod is one about which a picker may be asked at all. */
export function isCandidate(pod: Pod): boolean {
  return isAssigned(pod) && pod.status?.phase === "Running" && isReady(pod);
}
