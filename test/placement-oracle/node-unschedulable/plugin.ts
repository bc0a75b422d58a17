import { fits, type Plugin, unresolvable } from "../plugin.ts";
import { isTolerated, tolerationsOf } from "../snapshot/toleration.ts";

const unschedulableTaint = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

/** Rejects nodes that are cordoned, unless the Pod tolerates that. */
export const nodeUnschedulable: Plugin = {
  name: "NodeUnschedulable",

  preFilter(pod) {
    if (isTolerated(unschedulableTaint, tolerationsOf(pod))) return undefined;
    const refusal = unresolvable("node(s) were unschedulable");
    return { filter: (node) => (node.isUnschedulable ? refusal : fits) };
  },
};
