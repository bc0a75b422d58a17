import type { TopologySpreadConstraint } from "../../../api/generated/core-v1.ts";
import { hostnameLabel, zoneLabel } from "../../../api/well-known.ts";
import { type DerivedSelector, deriveSelector } from "../derived-selector.ts";
import { itemsOf } from "../objects/reading.ts";
import type { PodInfo } from "../objects/pod-info.ts";
import { perTemplate } from "../view/placement-template.ts";
import type { ClusterView } from "../view/cluster-view.ts";
import type { PodTopologySpreadArgs } from "./args.ts";
import {
  defaultConstraint,
  ownConstraint,
  type SpreadAction,
  type SpreadConstraint,
} from "../objects/spread-constraint.ts";

/** The built-in defaults: soft, over hosts and over zones. */
export const systemConstraints: readonly TopologySpreadConstraint[] = [
  { maxSkew: 3, topologyKey: hostnameLabel, whenUnsatisfiable: "ScheduleAnyway" },
  { maxSkew: 5, topologyKey: zoneLabel, whenUnsatisfiable: "ScheduleAnyway" },
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
  cluster: ClusterView,
  args: PodTopologySpreadArgs,
): EffectiveConstraints {
  const own = itemsOf(pod.pod.spec?.topologySpreadConstraints);
  if (own.length > 0) return ownConstraints(pod, cluster);
  const isSystem = args.defaultingType === "System";
  const needsAllKeys = !isSystem;
  const defaults = isSystem ? systemConstraints : itemsOf(args.defaultConstraints);
  const derived = defaults.length === 0 ? undefined : deriveSelector(pod, cluster);
  if (derived === undefined || derived.from.length === 0) return { of: () => [], needsAllKeys };
  return defaultConstraints(derived, args, defaults);
}

/** By derived selector and arguments: the Pods of a template share both. */
const known = new WeakMap<DerivedSelector, WeakMap<PodTopologySpreadArgs, EffectiveConstraints>>();

function defaultConstraints(
  derived: DerivedSelector,
  args: PodTopologySpreadArgs,
  defaults: readonly TopologySpreadConstraint[],
): EffectiveConstraints {
  const perArgs = known.get(derived) ?? new WeakMap<PodTopologySpreadArgs, EffectiveConstraints>();
  known.set(derived, perArgs);
  const made = perArgs.get(args);
  if (made !== undefined) return made;
  const isSystem = args.defaultingType === "System";
  const read = (action: SpreadAction): readonly SpreadConstraint[] =>
    withAction(defaults, action).map((constraint) =>
      defaultConstraint(constraint, derived.selection, isSystem ? "built-in" : "list"),
    );
  const byAction = { DoNotSchedule: read("DoNotSchedule"), ScheduleAnyway: read("ScheduleAnyway") };
  const constraints = { of: (action: SpreadAction) => byAction[action], needsAllKeys: !isSystem, derived };
  perArgs.set(args, constraints);
  return constraints;
}

/** The constraints that a Pod declares. */
const ownConstraints = perTemplate((pod): EffectiveConstraints => {
  const declared = itemsOf(pod.pod.spec?.topologySpreadConstraints);
  const read = (action: SpreadAction): readonly SpreadConstraint[] | string => {
    const all = withAction(declared, action).map((constraint) => ownConstraint(constraint, pod));
    const problem = all.find((constraint) => typeof constraint === "string");
    return problem ?? all.filter((constraint) => typeof constraint !== "string");
  };
  const byAction = { DoNotSchedule: read("DoNotSchedule"), ScheduleAnyway: read("ScheduleAnyway") };
  return { of: (action) => byAction[action], needsAllKeys: true };
});

function withAction(
  constraints: readonly TopologySpreadConstraint[],
  action: SpreadAction,
): readonly TopologySpreadConstraint[] {
  return constraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === action);
}
