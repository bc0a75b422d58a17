import type { Pod } from "../../api/generated/core-v1.ts";
import { isReady, readySince } from "../../api/pod-state.ts";
import { parseTime } from "../../api/time.ts";
import { nodeOf } from "./co-location.ts";
import { deletionCost } from "../../api/deletion-cost.ts";
import type { Facts } from "./facts.ts";
import { exactAge, logBucket } from "./log-bucket.ts";
import { containerRestarts, sidecarRestarts } from "./restarts.ts";

/** The names of the rules: the reasons shown to users. */
export type RuleName =
  | "unassigned"
  | "phase"
  | "not-ready"
  | "deletion-cost"
  | "preferred"
  | "picker"
  | "spread"
  | "consolidate"
  | "co-located"
  | "machine-cost"
  | "ready-time"
  | "restarts"
  | "creation-time"
  | "uid";

/** What a rule compares. */
export type Key = number | string;

/** One rule of the removal order. */
export type Rule = {
  readonly name: RuleName;
  /** What the key counts, where one name stands for two ways of comparing. */
  readonly unit?: "bucket" | "ms" | "containers" | "sidecars" | "name" | "leaving" | "pods" | "node";
  /** Whether the rule applies to a decision; absent: always. */
  readonly applies?: (facts: Facts) => boolean;
  /** Of a rule that counts Pods per domain: for which constraint. Its keys are levels, see `spreadLevelsInSteps`. */
  readonly topology?: RuleTopology;
  /** The rules that a decision has in its place, by its facts. */
  readonly parts?: (facts: Facts) => readonly Rule[];
} & (LowerFirst | HigherFirst);

/** A constraint by which a rule counts. */
export interface RuleTopology {
  /** Its place among the constraints of the decision. */
  readonly constraint: number;
  readonly key: string;
  readonly domainOf: (pod: Pod) => string | undefined;
}

// A key is computed at most once per Pod and decision, and is never NaN.
interface LowerFirst {
  readonly first: "lower";
  readonly key: (pod: Pod, facts: Facts) => Key;
}
interface HigherFirst {
  readonly first: "higher";
  readonly key: (pod: Pod, facts: Facts) => number;
}

/** The label by which a user prefers a Pod for removal among equals; its value means nothing. */
export const preferredLabel = "kubernetes.io/prefer-for-scale-down";

/**
 * The removal order of profile `trimtab`. Pods are compared from the top; the first rule in which they differ decides,
 * and its name is the reason. Rules of one number are parts of one rule.
 */
export const removalOrder: readonly Rule[] = [
  // 1. Without a node.
  { name: "unassigned", first: "lower", key: (pod) => Number(isAssigned(pod)) },
  // 2. Pending, then Unknown, then Running.
  { name: "phase", first: "lower", key: phaseOrdinal },
  // 3. Not Ready.
  { name: "not-ready", first: "lower", key: (pod) => Number(isReady(pod)) },
  // 4. Cheaper by the annotation. What a user says about a Pod comes before every heuristic below.
  {
    name: "deletion-cost",
    first: "lower",
    applies: ({ gates }) => gates.PodDeletionCost,
    key: (pod, facts) => (isMachineCost(pod, facts) ? 0 : deletionCost(pod)),
  },
  // 5. Labelled, if Running.
  {
    name: "preferred",
    first: "higher",
    applies: ({ gates }) => gates.PreferForScaleDownLabel,
    key: (pod) => Number(isPreferred(pod)),
  },
  // 6a. Chosen by the picker, then tied, then the rest.
  { name: "picker", first: "lower", applies: hasPicks, key: pickerRank },
  // 6b. In a fuller domain, constraint by constraint, whenever 6a does not apply and the Pods were spread by constraints.
  {
    name: "spread",
    first: "higher",
    applies: (facts) => !hasPicks(facts) && hasConstraints(facts),
    key: () => 0,
    parts: spreadRules,
  },
  // Or on a node that is to be empty: one that leaves, then one with fewer Pods, and all Pods of one before the next.
  {
    name: "consolidate",
    unit: "leaving",
    first: "higher",
    applies: isConsolidating,
    key: (pod, { loads }) => Number(loads?.(pod).isLeaving),
  },
  {
    name: "consolidate",
    unit: "pods",
    first: "lower",
    applies: isConsolidating,
    key: (pod, { loads }) => loads?.(pod).pods ?? 0,
  },
  {
    name: "consolidate",
    unit: "node",
    first: "lower",
    applies: isConsolidating,
    key: (pod, { loads }) => loads?.(pod).node ?? "",
  },
  // Else: sharing its node with more Pods of the workload.
  {
    name: "co-located",
    first: "higher",
    applies: (facts) => !hasPicks(facts) && !hasConstraints(facts) && facts.loads === undefined,
    key: (pod, { related }) => related(pod) || 0,
  },
  // 6c. Cheaper by a program, which knows nothing of what people said about the Pods.
  {
    name: "machine-cost",
    first: "lower",
    applies: ({ machineCosts, gates }) => machineCosts !== undefined && gates.PodDeletionCost,
    key: (pod, facts) => (isMachineCost(pod, facts) ? deletionCost(pod) : 0),
  },
  // 7. Ready for less time.
  {
    name: "ready-time",
    unit: "bucket",
    first: "lower",
    applies: ({ gates }) => gates.LogarithmicScaleDown,
    key: (pod, { now }) => logBucket(readySince(pod), now),
  },
  {
    name: "ready-time",
    unit: "ms",
    first: "lower",
    applies: ({ gates }) => !gates.LogarithmicScaleDown,
    key: (pod, { now }) => exactAge(readySince(pod), now),
  },
  // 8. Restarted more often: by containers, then by sidecars.
  { name: "restarts", unit: "containers", first: "higher", key: containerRestarts },
  { name: "restarts", unit: "sidecars", first: "higher", key: sidecarRestarts },
  // 9. Younger.
  {
    name: "creation-time",
    unit: "bucket",
    first: "lower",
    applies: ({ gates }) => gates.LogarithmicScaleDown,
    key: (pod, { now }) => logBucket(createdAt(pod), now),
  },
  {
    name: "creation-time",
    unit: "ms",
    first: "lower",
    applies: ({ gates }) => !gates.LogarithmicScaleDown,
    key: (pod, { now }) => exactAge(createdAt(pod), now),
  },
  // 10. The smaller UID: random between Pods, repeatable for one. Pods that were never stored have only names.
  { name: "uid", first: "lower", key: (pod) => textOf(pod.metadata?.uid) },
  { name: "uid", unit: "name", first: "lower", key: (pod) => textOf(pod.metadata?.name) },
];

/** The rules that apply to a decision, in order. */
export function applicable(rules: readonly Rule[], facts: Facts): readonly Rule[] {
  return rules
    .filter((rule) => rule.applies?.(facts) ?? true)
    .flatMap((rule) => rule.parts?.(facts) ?? [rule]);
}

/** Whether the cost of a Pod is known to be a program's. */
function isMachineCost({ metadata }: Pod, { machineCosts = [] }: Facts): boolean {
  return machineCosts.some((name) => metadata?.annotations?.[name] !== undefined);
}

/** One rule for each constraint. No Pod has a level by itself: the keys are computed for all Pods together. */
function spreadRules({ spread }: Facts): readonly Rule[] {
  return (spread?.constraints ?? []).map(({ topologyKey, domains }, constraint) => ({
    name: "spread",
    first: "higher",
    key: () => 0,
    topology: { constraint, key: topologyKey, domainOf: (pod) => domains.get(nodeOf(pod)) },
  }));
}

/** Whether a Pod has a node. */
export function isAssigned(pod: Pod): boolean {
  return nodeOf(pod) !== "";
}

/** Whether a Pod carries the label, in the only phase in which it counts. */
function isPreferred(pod: Pod): boolean {
  return pod.status?.phase === "Running" && Object.hasOwn(pod.metadata?.labels ?? {}, preferredLabel);
}

/** Pending 0, Unknown 1, Running 2; an unknown phase counts as Pending. */
function phaseOrdinal(pod: Pod): number {
  const phase = pod.status?.phase;
  if (phase === "Running") return 2;
  return phase === "Unknown" ? 1 : 0;
}

function hasPicks({ gates, picks }: Facts): boolean {
  return gates.DownscalePodPicker && picks !== undefined;
}

function hasConstraints({ spread }: Facts): boolean {
  return (spread?.constraints.length ?? 0) > 0;
}

function isConsolidating(facts: Facts): boolean {
  return facts.loads !== undefined && !hasPicks(facts) && !hasConstraints(facts);
}

function pickerRank(pod: Pod, { picks }: Facts): number {
  const name = textOf(pod.metadata?.name);
  if (picks?.chosen.has(name) === true) return 0;
  return picks?.tied.has(name) === true ? 1 : 2;
}

function createdAt(pod: Pod): number | undefined {
  return parseTime(pod.metadata?.creationTimestamp);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
