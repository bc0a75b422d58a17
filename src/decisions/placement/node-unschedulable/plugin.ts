import { isTolerated, tolerationsOf } from "../snapshot/toleration.ts";
import { fits, type Plugin, unresolvable } from "../plugin.ts";

const cordon = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

/** Refuses nodes that are cordoned, unless the Pod tolerates that. */
export const nodeUnschedulable: Plugin = {
  name: "NodeUnschedulable",

  preFilter(pod) {
    if (isTolerated(cordon, tolerationsOf(pod))) return undefined;
    const refusal = unresolvable("node(s) were unschedulable");
    return { filter: (node) => (node.isUnschedulable ? refusal : fits) };
  },
};
