import type { NodeInfo } from "../snapshot/node-info.ts";
import { type Failure, fails, type PreFilterResult, type Plugin, type Scorer } from "../plugin.ts";
import {
  type EffectiveConstraints,
  effectiveConstraints,
  type PodTopologySpreadArgs,
} from "./effective-constraints.ts";
import { spreadFilter } from "./filter.ts";
import { spreadScorer } from "./score.ts";
import type { SpreadAction, SpreadConstraint } from "./spread-constraint.ts";

/** Keeps matching Pods within `maxSkew` of the emptiest domain, or at least prefers the emptier ones. */
export function podTopologySpread(args: PodTopologySpreadArgs = { defaultingType: "System" }): Plugin {
  return {
    name: "PodTopologySpread",

    preFilter(pod, snapshot) {
      const effective = effectiveConstraints(pod, snapshot, args);
      const hard = effective.of("DoNotSchedule");
      const soft = effective.of("ScheduleAnyway");
      if (hard.length === 0 && soft.length === 0) return undefined;

      const prepare = (feasible: readonly NodeInfo[]): Scorer | Failure | undefined => {
        if (typeof soft === "string") return unreadable("soft", soft);
        if (soft.length === 0) return undefined;
        const { needsAllKeys } = effective;
        return spreadScorer({ constraints: soft, needsAllKeys, pod, snapshot }, feasible);
      };
      return { ...filterOpinion(), preScore: prepare, state: groundsOf(effective) };

      function filterOpinion(): PreFilterResult {
        if (typeof hard === "string") return { refusal: unreadable("hard", hard) };
        return hard.length === 0 ? {} : { filter: spreadFilter(hard, pod, snapshot) };
      }
    },
  };
}

function unreadable(which: "hard" | "soft", problem: string): Failure {
  return fails(`obtaining pod's ${which} topology spread constraints: ${problem}`);
}

const actions: readonly SpreadAction[] = ["DoNotSchedule", "ScheduleAnyway"];

function groundsOf({ of, derived }: EffectiveConstraints): NonNullable<PreFilterResult["state"]> {
  const constraints = actions.flatMap((action): readonly SpreadConstraint[] => {
    const read = of(action);
    return typeof read === "string" ? [] : read;
  });
  return derived === undefined ? { constraints } : { constraints, selector: derived };
}
