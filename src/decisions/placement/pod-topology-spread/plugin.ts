import { type Failure, fails, type Plugin, type PluginState, type PreFilterResult } from "../plugin.ts";
import type { PluginEntry } from "../plugin-entry.ts";
import { type PodTopologySpreadArgs, podTopologySpreadArgs } from "./args.ts";
import { type EffectiveConstraints, effectiveConstraints } from "./effective-constraints.ts";
import { spreadFilter } from "./filter.ts";
import { podTopologySpreadHints } from "./hints.ts";
import { spreadScorer } from "./score.ts";
import type { SpreadAction, SpreadConstraint } from "../objects/spread-constraint.ts";

/** Keeps matching Pods within `maxSkew` of the emptiest domain, or at least prefers the emptier ones. */
export function podTopologySpread(args: PodTopologySpreadArgs = { defaultingType: "System" }): Plugin {
  return {
    name: "PodTopologySpread",

    preFilter(pod, cluster): PreFilterResult | undefined {
      const effective = effectiveConstraints(pod, cluster, args);
      const hard = effective.of("DoNotSchedule");
      if (hard.length === 0 && effective.of("ScheduleAnyway").length === 0) return undefined;
      const state = stateOf(effective);
      if (typeof hard === "string") return { refusal: unreadable("hard", hard), state };
      return hard.length === 0 ? { state } : { filter: spreadFilter(hard, pod, cluster), state };
    },

    preScore(pod, cluster, feasible) {
      const { of, needsAllKeys } = effectiveConstraints(pod, cluster, args);
      const soft = of("ScheduleAnyway");
      if (typeof soft === "string") return unreadable("soft", soft);
      if (soft.length === 0) return undefined;
      return spreadScorer({ constraints: soft, needsAllKeys, pod, cluster }, feasible);
    },
  };
}

function unreadable(which: "hard" | "soft", problem: string): Failure {
  return fails(`obtaining pod's ${which} topology spread constraints: ${problem}`);
}

const actions: readonly SpreadAction[] = ["DoNotSchedule", "ScheduleAnyway"];

/** Cached by constraints, which Pods of a workload share: placements of all Pods are kept, each with its state. */
const states = new WeakMap<EffectiveConstraints, PluginState>();

function stateOf(effective: EffectiveConstraints): PluginState {
  const state = states.get(effective) ?? readState(effective);
  states.set(effective, state);
  return state;
}

function readState({ of, derived }: EffectiveConstraints): PluginState {
  const constraints = actions.flatMap((action): readonly SpreadConstraint[] => {
    const read = of(action);
    return typeof read === "string" ? [] : read;
  });
  return derived === undefined ? { constraints } : { constraints, selector: derived };
}

export const podTopologySpreadEntry = {
  name: "PodTopologySpread",
  points: ["preFilter", "filter", "preScore", "score"],
  weight: 2,
  args: podTopologySpreadArgs,
  create: podTopologySpread,
  hints: podTopologySpreadHints,
} as const satisfies PluginEntry<PodTopologySpreadArgs>;
