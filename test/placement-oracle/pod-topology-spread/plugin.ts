import { type Failure, fails, type Plugin, type PluginState, type PreFilterResult } from "../plugin.ts";
import type { PodTopologySpreadArgs } from "../../../src/decisions/placement/pod-topology-spread/args.ts";
import { type EffectiveConstraints, effectiveConstraints } from "./effective-constraints.ts";
import { spreadFilter } from "./filter.ts";
import { spreadScorer } from "./score.ts";
import type { SpreadAction, SpreadConstraint } from "./spread-constraint.ts";

/** Keeps matching Pods within `maxSkew` of the emptiest domain, or at least prefers the emptier ones. */
export function podTopologySpread(args: PodTopologySpreadArgs = { defaultingType: "System" }): Plugin {
  return {
    name: "PodTopologySpread",

    preFilter(pod, snapshot): PreFilterResult | undefined {
      const effective = effectiveConstraints(pod, snapshot, args);
      const hard = effective.of("DoNotSchedule");
      if (hard.length === 0 && effective.of("ScheduleAnyway").length === 0) return undefined;
      const state = stateOf(effective);
      if (typeof hard === "string") return { refusal: unreadable("hard", hard), state };
      return hard.length === 0 ? { state } : { filter: spreadFilter(hard, pod, snapshot), state };
    },

    preScore(pod, snapshot, feasible) {
      const { of, needsAllKeys } = effectiveConstraints(pod, snapshot, args);
      const soft = of("ScheduleAnyway");
      if (typeof soft === "string") return unreadable("soft", soft);
      if (soft.length === 0) return undefined;
      return spreadScorer({ constraints: soft, needsAllKeys, pod, snapshot }, feasible);
    },
  };
}

function unreadable(which: "hard" | "soft", problem: string): Failure {
  return fails(`obtaining pod's ${which} topology spread constraints: ${problem}`);
}

const actions: readonly SpreadAction[] = ["DoNotSchedule", "ScheduleAnyway"];

function stateOf({ of, derived }: EffectiveConstraints): PluginState {
  const constraints = actions.flatMap((action): readonly SpreadConstraint[] => {
    const read = of(action);
    return typeof read === "string" ? [] : read;
  });
  return derived === undefined ? { constraints } : { constraints, selector: derived };
}
