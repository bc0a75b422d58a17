import type { TopologySpreadConstraint } from "../../../api/generated/core-v1.ts";
import { type DerivedSelector, deriveSelector } from "../derived-selector.ts";
import { itemsOf } from "../snapshot/reading.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import {
  defaultConstraint,
  ownConstraint,
  type SpreadAction,
  type SpreadConstraint,
} from "./spread-constraint.ts";

/** Constraints for Pods that declare none. */
export type PodTopologySpreadArgs =
  /** Those that are built in. */
  | { readonly defaultingType: "System" }
  /** The operator's; none of them switches defaults off. */
  | { readonly defaultingType: "List"; readonly defaultConstraints?: readonly TopologySpreadConstraint[] };

/** The built-in defaults: soft, over hosts and over zones. */
export const systemConstraints: readonly TopologySpreadConstraint[] = [
  { maxSkew: 3, topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "ScheduleAnyway" },
  { maxSkew: 5, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "ScheduleAnyway" },
];

/** The constraints that apply to a Pod. */
export interface EffectiveConstraints {
  /** Those with one action, in order; a text when one of them cannot be read, saying why. */
  readonly of: (action: SpreadAction) => readonly SpreadConstraint[] | string;
  /** Whether a node has to have every topology key to be counted and scored. Built-in defaults bear with gaps. */
  readonly needsAllKeys: boolean;
  /** What the defaults count, where they apply. */
  readonly derived?: DerivedSelector;
}

/** Finds the constraints of a Pod: its own, or else defaults for those that belong together with it. */
export function effectiveConstraints(
  pod: PodInfo,
  snapshot: Snapshot,
  args: PodTopologySpreadArgs,
): EffectiveConstraints {
  const own = itemsOf(pod.pod.spec?.topologySpreadConstraints);
  if (own.length > 0) return { of: (action) => ownConstraints(own, pod, action), needsAllKeys: true };
  const isSystem = args.defaultingType === "System";
  const needsAllKeys = !isSystem;
  const defaults = isSystem ? systemConstraints : itemsOf(args.defaultConstraints);
  const derived = defaults.length === 0 ? undefined : deriveSelector(pod, snapshot);
  if (derived === undefined || derived.from.length === 0) return { of: () => [], needsAllKeys };
  const source = isSystem ? "built-in" : "list";
  const of = (action: SpreadAction): readonly SpreadConstraint[] =>
    withAction(defaults, action).map((constraint) =>
      defaultConstraint(constraint, derived.selection, source),
    );
  return { of, needsAllKeys, derived };
}

function ownConstraints(
  declared: readonly TopologySpreadConstraint[],
  pod: PodInfo,
  action: SpreadAction,
): readonly SpreadConstraint[] | string {
  const read = withAction(declared, action).map((constraint) => ownConstraint(constraint, pod));
  const problem = read.find((constraint) => typeof constraint === "string");
  return problem ?? read.filter((constraint) => typeof constraint !== "string");
}

function withAction(
  constraints: readonly TopologySpreadConstraint[],
  action: SpreadAction,
): readonly TopologySpreadConstraint[] {
  return constraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === action);
}
