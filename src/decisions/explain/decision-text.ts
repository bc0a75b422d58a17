import type { Choice } from "../downscale/choose-victims.ts";
import type { DecidedPod } from "../downscale/reason.ts";
import type { RolloutPlan } from "../rollout/plan-rollout.ts";
import { describeRevisionLimit } from "./describe-limit.ts";
import { removalReason } from "./removal-reason.ts";

/** Limits the Pods of a removal that are named. */
const namedPods = 5;

/** Why one Pod is removed: `removes 2 of 6 Pods, web-1 because of …`. */
export function removedPodText(choice: Choice, victim: DecidedPod): string {
  const { victims, survivors } = choice;
  if (survivors.length > 0) return `${removesText(choice)}, ${becauseText(victim)}`;
  return `${removesText(choice)}, ${victim.pod.metadata.name}${victims.length > 1 ? " among them" : ""}`;
}

/** Why the first of the Pods of a removal are removed: `removes 2 of 6 Pods: web-1 because of …; web-2 because of …`. */
export function removalText(choice: Choice): string {
  const { victims } = choice;
  const isAll = choice.survivors.length === 0;
  const reasons = victims
    .slice(0, namedPods)
    .map((victim) => (isAll ? victim.pod.metadata.name : becauseText(victim)));
  const more = victims.length > namedPods ? `, and ${victims.length - namedPods} more` : "";
  return `${removesText(choice)}: ${reasons.join(isAll ? ", " : "; ")}${more}`;
}

/** Summarises a pass of a rollout: what each revision waits for, or the kind of the pass. */
export function rolloutPassText({ limits, kind }: Pick<RolloutPlan, "limits" | "kind">): string {
  return limits.map(describeRevisionLimit).join("; ") || kind;
}

function removesText({ victims, survivors }: Choice): string {
  if (survivors.length === 0)
    return victims.length === 1 ? "removes the only Pod" : `removes all ${victims.length} Pods`;
  return `removes ${victims.length} of ${victims.length + survivors.length} Pods`;
}

function becauseText(victim: DecidedPod): string {
  return `${victim.pod.metadata.name} because of ${removalReason(victim)}`;
}
