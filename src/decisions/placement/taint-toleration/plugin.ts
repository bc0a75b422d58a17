import type { Taint } from "../../../api/generated/core-v1.ts";
import { scaleToLargest } from "../arithmetic.ts";
import { textOf } from "../snapshot/reading.ts";
import { findUntoleratedTaint, isTolerated, tolerationsOf } from "../snapshot/toleration.ts";
import { fits, type Plugin, unresolvable } from "../plugin.ts";

const preferNot = "PreferNoSchedule";

/** Refuses nodes with taints the Pod does not tolerate, and prefers those with fewer that only discourage it. */
export const taintToleration: Plugin = {
  name: "TaintToleration",

  preFilter(pod) {
    const tolerations = tolerationsOf(pod);
    const ofPreferences = tolerations.filter(({ effect }) => ["", preferNot].includes(textOf(effect)));
    return {
      filter({ taints }) {
        const taint = findUntoleratedTaint(taints, tolerations);
        return taint === undefined ? fits : unresolvable("node(s) had untolerated taint(s)", nameOf(taint));
      },
      preScore: () => ({
        kind: "scores",
        score: ({ taints }) =>
          taints.filter((taint) => taint.effect === preferNot && !isTolerated(taint, ofPreferences)).length,
        normalize: (raw) => scaleToLargest(raw).map((score) => 100 - score),
      }),
    };
  },
};

/** The taint the way kubectl writes it. */
function nameOf({ key, value, effect }: Taint): string {
  return `${textOf(key)}${textOf(value) === "" ? "" : `=${textOf(value)}`}:${textOf(effect)}`;
}
