import type { DaemonSet } from "../../api/generated/apps-v1.ts";
import type { Node, NodeSelectorTerm, PodSpec, Taint, Toleration } from "../../api/generated/core-v1.ts";
import { requiredTerms } from "../placement/objects/node-selector.ts";
import { isObject, itemsOf, labelOf, pairsOf, stringOf } from "../placement/objects/reading.ts";
import { findUntoleratedTaint } from "../placement/objects/toleration.ts";
import { daemonTolerations } from "./daemon-tolerations.ts";

/** What keeps a DaemonSet from a node. */
export type NodeRefusal =
  /** The template names another node. */
  | { readonly by: "node-name"; readonly nodeName: string }
  /** The node lacks a label of the template's node selector. */
  | { readonly by: "selector"; readonly key: string; readonly value: string }
  /** The node matches none of the terms of the required node affinity. */
  | { readonly by: "affinity"; readonly terms: readonly NodeSelectorTerm[] }
  | { readonly by: "taint"; readonly taint: Taint };

/** Whether a node should run a Pod of a DaemonSet, only keep one that it has, or have none. */
export type NodeEligibility =
  | { readonly kind: "runs" }
  | { readonly kind: "keeps"; readonly because: NodeRefusal }
  | { readonly kind: "excluded"; readonly because: NodeRefusal };

/** Decides whether a node should run a Pod; a DaemonSet ignores readiness, cordons and resources of the node. */
export type NodeCheck = (node: Node) => NodeEligibility;

const runs: NodeEligibility = { kind: "runs" };

// Objects are immutable, so the checks of a template are compiled once.
const compiled = new WeakMap<object, NodeCheck>();

/** Returns the check of a DaemonSet's template (upstream: NodeShouldRunDaemonPod). */
export function nodeEligibility({ spec }: DaemonSet): NodeCheck {
  const template: unknown = spec?.template;
  if (!isObject(template)) return compile({});
  const known = compiled.get(template) ?? compile(spec.template.spec ?? {});
  compiled.set(template, known);
  return known;
}

/** What a check reads of a template, which may never have been validated. */
type TemplateSpec = Partial<
  Pick<PodSpec, "nodeName" | "nodeSelector" | "affinity" | "tolerations" | "hostNetwork">
>;

function compile(spec: TemplateSpec): NodeCheck {
  const refuse = affinityCheck(spec);
  const tolerations = daemonTolerations(spec);
  return (node) => {
    const because = refuse(node);
    if (because !== undefined) return { kind: "excluded", because };
    const taints = itemsOf(node.spec?.taints);
    return taints.length === 0 ? runs : taintEligibility(taints, tolerations);
  };
}

function taintEligibility(taints: readonly Taint[], tolerations: readonly Toleration[]): NodeEligibility {
  const evicting = taints.filter(({ effect }) => effect === "NoExecute");
  const evictedBy = findUntoleratedTaint(evicting, tolerations);
  if (evictedBy !== undefined) return { kind: "excluded", because: { by: "taint", taint: evictedBy } };
  const taint = findUntoleratedTaint(taints, tolerations);
  return taint === undefined ? runs : { kind: "keeps", because: { by: "taint", taint } };
}

/** Makes the check of the fields that name or select nodes. */
function affinityCheck({
  nodeName,
  nodeSelector,
  affinity,
}: TemplateSpec): (node: Node) => NodeRefusal | undefined {
  const wanted = pairsOf(nodeSelector);
  const matches = requiredTerms(affinity);
  const named = stringOf(nodeName);
  return ({ metadata }) => {
    const { name, labels } = metadata;
    if (named !== "" && named !== name) return { by: "node-name", nodeName: named };
    const missing = wanted.find(([key, value]) => labelOf(labels, key) !== value);
    if (missing !== undefined) return { by: "selector", key: missing[0], value: missing[1] };
    return matches({ name, labels }) ? undefined : { by: "affinity", terms: termsOf(affinity) };
  };
}

function termsOf(affinity: PodSpec["affinity"]): readonly NodeSelectorTerm[] {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return itemsOf(required?.nodeSelectorTerms);
}
