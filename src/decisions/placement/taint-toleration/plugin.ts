import type { Taint } from "../../../api/generated/core-v1.ts";
import { scaleToLargestReversed } from "../arithmetic.ts";
import { isUpdateOf, nodeBecomes, type QueueingHints, templateHints } from "../cluster-event.ts";
import { fits, type Plugin, type PlainRejection, unresolvable, type Verdict } from "../plugin.ts";
import type { PluginEntry } from "../plugin-entry.ts";
import type { NodeInfo } from "../objects/node-info.ts";
import { stringOf } from "../objects/reading.ts";
import { findUntoleratedTaint, isTolerated, tolerationsOf } from "../objects/toleration.ts";
import type { ClusterView } from "../view/cluster-view.ts";
import { perTemplate } from "../view/placement-template.ts";

const preferNoSchedule = "PreferNoSchedule";

/** Rejects nodes with taints the Pod does not tolerate, and prefers those with fewer PreferNoSchedule taints. */
export const taintToleration: Plugin = {
  name: "TaintToleration",

  preFilter(pod, cluster) {
    const { isTainted } = cluster.columns.nodes;
    const verdicts = verdictsOfTemplate(pod, cluster)(cluster);
    return {
      filter(node) {
        return isTainted[node.slot] === 0 ? fits : verdicts(node);
      },
    };
  },

  preScore(pod, { columns }) {
    const { isTainted } = columns.nodes;
    const tolerations = tolerationsOf(pod).filter(({ effect }) =>
      ["", preferNoSchedule].includes(stringOf(effect)),
    );
    return {
      kind: "scores",
      score(node) {
        if (isTainted[node.slot] === 0) return 0;
        const isAvoided = (taint: Taint): boolean =>
          taint.effect === preferNoSchedule && !isTolerated(taint, tolerations);
        return node.taints.filter(isAvoided).length;
      },
      normalize: scaleToLargestReversed,
    };
  },
};

/** The verdicts on tainted nodes by their slot, for all Pods of a template and until a node gets other taints. */
const verdictsOfTemplate = perTemplate((pod) => {
  const tolerations = tolerationsOf(pod);
  const refusalBy = sharedRefusals();
  const verdictOn = ({ taints }: NodeInfo): Verdict => {
    const taint = findUntoleratedTaint(taints, tolerations);
    return taint === undefined ? fits : refusalBy(taint);
  };
  let bySlot: (Verdict | undefined)[] = [];
  let version = Number.NaN;
  return ({ columns }: ClusterView) => {
    if (version !== columns.nodesVersion) bySlot = Array<Verdict | undefined>(columns.capacity);
    version = columns.nodesVersion;
    const known = bySlot;
    return (node: NodeInfo): Verdict => (known[node.slot] ??= verdictOn(node));
  };
});

/** Makes the refusals by taints, the same one for all nodes that have a taint. */
function sharedRefusals(): (taint: Taint) => PlainRejection {
  let latest: { readonly taint: Taint; readonly refusal: PlainRejection } | undefined;
  let known: Map<string, PlainRejection> | undefined;
  return (taint) => {
    // The nodes of a pool have the same taints, and mostly come one after the other.
    if (latest !== undefined && isSame(latest.taint, taint)) return latest.refusal;
    const text = format(taint);
    known ??= new Map();
    const refusal = known.get(text) ?? unresolvable("node(s) had untolerated taint(s)", text);
    known.set(text, refusal);
    latest = { taint, refusal };
    return refusal;
  };
}

function isSame(one: Taint, other: Taint): boolean {
  return one.key === other.key && one.value === other.value && one.effect === other.effect;
}

/** Formats a taint the way kubectl does. */
function format({ key, value, effect }: Taint): string {
  return `${stringOf(key)}${stringOf(value) === "" ? "" : `=${stringOf(value)}`}:${stringOf(effect)}`;
}

/** A node whose taints the Pod tolerates, or a Pod that tolerates more. */
const hints: QueueingHints = templateHints(
  ["Node/Add", "Node/UpdateNodeTaint", "Pod/UpdatePodToleration"],
  (waiting, event) => {
    if (event.resource !== "Node") return isUpdateOf(waiting, event);
    const tolerations = tolerationsOf(waiting);
    return nodeBecomes(event, ({ taints }) => findUntoleratedTaint(taints, tolerations) === undefined);
  },
);

export const taintTolerationEntry = {
  name: "TaintToleration",
  points: ["filter", "preScore", "score"],
  weight: 3,
  create: () => taintToleration,
  hints: () => hints,
} as const satisfies PluginEntry;
