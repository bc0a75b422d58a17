import type { Taint } from "../../../src/api/generated/core-v1.ts";
import { scaleToLargest } from "../../../src/decisions/placement/arithmetic.ts";
import { fits, type Plugin, unresolvable } from "../plugin.ts";
import { stringOf } from "../../../src/decisions/placement/objects/reading.ts";
import { findUntoleratedTaint, isTolerated, tolerationsOf } from "../snapshot/toleration.ts";

const preferNoSchedule = "PreferNoSchedule";

/** Rejects nodes with taints the Pod does not tolerate, and prefers those with fewer PreferNoSchedule taints. */
export const taintToleration: Plugin = {
  name: "TaintToleration",

  preFilter(pod) {
    const tolerations = tolerationsOf(pod);
    return {
      filter({ taints }) {
        const taint = findUntoleratedTaint(taints, tolerations);
        return taint === undefined ? fits : unresolvable("node(s) had untolerated taint(s)", format(taint));
      },
    };
  },

  preScore(pod) {
    const tolerations = tolerationsOf(pod).filter(({ effect }) =>
      ["", preferNoSchedule].includes(stringOf(effect)),
    );
    return {
      kind: "scores",
      score: ({ taints }) =>
        taints.filter((taint) => taint.effect === preferNoSchedule && !isTolerated(taint, tolerations))
          .length,
      normalize: (raw) => scaleToLargest(raw).map((score) => 100 - score),
    };
  },
};

/** Formats a taint the way kubectl does. */
function format({ key, value, effect }: Taint): string {
  return `${stringOf(key)}${stringOf(value) === "" ? "" : `=${stringOf(value)}`}:${stringOf(effect)}`;
}
