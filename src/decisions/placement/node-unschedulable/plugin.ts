import { unschedulableTaint } from "../../../api/well-known.ts";
import { isUpdateOf, nodeBecomes, type QueueingHints, templateHints } from "../cluster-event.ts";
import { fits, type Plugin, unresolvable } from "../plugin.ts";
import type { PluginEntry } from "../plugin-entry.ts";
import { isTolerated, tolerationsOf } from "../objects/toleration.ts";

const refusal = unresolvable("node(s) were unschedulable");
const cordon = { key: unschedulableTaint, effect: "NoSchedule" };

/** Rejects nodes that are cordoned, unless the Pod tolerates that. */
export const nodeUnschedulable: Plugin = {
  name: "NodeUnschedulable",

  preFilter(pod, { columns }) {
    if (isTolerated(cordon, tolerationsOf(pod))) return undefined;
    const { isUnschedulable } = columns.nodes;
    return { filter: ({ slot }) => (isUnschedulable[slot] === 1 ? refusal : fits) };
  },
};

/** A node that is added without a cordon or uncordoned, or a Pod that begins to tolerate the cordon. */
const hints: QueueingHints = templateHints(
  ["Node/Add", "Node/UpdateNodeTaint", "Pod/UpdatePodToleration"],
  (waiting, event) =>
    event.resource === "Node"
      ? nodeBecomes(event, ({ isUnschedulable }) => !isUnschedulable)
      : isUpdateOf(waiting, event) && isTolerated(cordon, tolerationsOf(waiting)),
);

export const nodeUnschedulableEntry = {
  name: "NodeUnschedulable",
  points: ["filter"],
  create: () => nodeUnschedulable,
  hints: () => hints,
} as const satisfies PluginEntry;
