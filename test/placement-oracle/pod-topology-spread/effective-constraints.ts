import type { TopologySpreadConstraint } from "../../../src/api/generated/core-v1.ts";
import { type DerivedSelector, deriveSelector } from "../derived-selector.ts";
import { itemsOf } from "../../../src/decisions/placement/objects/reading.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { PodTopologySpreadArgs } from "../../../src/decisions/placement/pod-topology-spread/args.ts";
import {
  defaultConstraint,
  ownConstraint,
  type SpreadAction,
  type SpreadConstraint,
} from "./spread-constraint.ts";

/** The built-in defaults: soft, over hosts and over zones. */
export const systemConstraints: readonly TopologySpreadConstraint[] = [
  { maxSkew: 3, topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "ScheduleAnyway" },
  { maxSkew: 5, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "ScheduleAnyway" },
];

/** The constraints that apply to a Pod. */
export interface EffectiveConstraints {
  /** The constraints with one action, in order; the error text when one of them cannot be parsed. */
  readonly of: (action: SpreadAction) => readonly SpreadConstraint[] | string;
  /** Whether a node has to have every topology key to be counted and scored. The built-in defaults do not demand it. */
  readonly needsAllKeys: boolean;
  /** The Pods that default constraints count, where they apply. */
  readonly derived?: DerivedSelector;
}

/** Returns the constraints of a Pod: its own, or else the defaults, over the Pods of its Services and controller. */
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
