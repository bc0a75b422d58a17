import type { Affinity, NodeSelectorRequirement, NodeSelectorTerm } from "../../../api/generated/core-v1.ts";
import {
  type LabelRequirement,
  matchesLabels,
  parseLabelInteger,
  selectionOf,
} from "../../../api/labels/label-selector.ts";
import { labelValueProblems, qualifiedNameProblems } from "../../../api/labels/label-syntax.ts";
import type { NodeDescription } from "./node-info.ts";
import type { PodInfo } from "./pod-info.ts";
import { isObject, itemsOf, labelOf, pairsOf, stringOf, textsOf } from "./reading.ts";

/** What selectors read of a node. */
export type SelectableNode = Pick<NodeDescription, "name" | "labels">;

/** Whether a node matches. */
export type NodeMatch = (node: SelectableNode) => boolean;

/** Compiles a term: all its requirements match, and there is at least one. `undefined` when one cannot be parsed. */
export function compileTerm(term: NodeSelectorTerm): NodeMatch | undefined {
  const onLabels = itemsOf(term.matchExpressions).map(labelRequirement);
  const onFields = itemsOf(term.matchFields).map(fieldMatch);
  if (onLabels.includes(undefined) || onFields.includes(undefined)) return undefined;
  if (onLabels.length + onFields.length === 0) return () => false;
  const selection = selectionOf(onLabels.filter((requirement) => requirement !== undefined));
  return (node) =>
    matchesLabels(selection, node.labels) && onFields.every((matches) => matches?.(node) === true);
}

/** Compiles terms of which one has to match; one that cannot be parsed matches no node. */
export function compileTerms(terms: readonly NodeSelectorTerm[] | null | undefined): NodeMatch {
  const compiled = itemsOf(terms).map(compileTerm);
  return (node) => compiled.some((matches) => matches?.(node) === true);
}

/** Compiles the Pod's `nodeSelector` and required node affinity (upstream: GetRequiredNodeAffinity). */
export function requiredNodeAffinity({ pod }: PodInfo): NodeMatch {
  const wanted = pairsOf(pod.spec?.nodeSelector);
  const matchesTerms = requiredTerms(pod.spec?.affinity);
  if (wanted.length === 0) return matchesTerms;
  return (node) => wanted.every(([key, value]) => labelOf(node.labels, key) === value) && matchesTerms(node);
}

/** Compiles required node affinity; without any, every node matches. */
export function requiredTerms(affinity: Affinity | null | undefined): NodeMatch {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return isObject(required) ? compileTerms(required.nodeSelectorTerms) : () => true;
}

/** Whether a Pod has a node selector or required node affinity at all. */
export function isRestricted({ pod }: PodInfo): boolean {
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return isObject(required) || pairsOf(pod.spec?.nodeSelector).length > 0;
}

function labelRequirement({ key, operator, values }: NodeSelectorRequirement): LabelRequirement | undefined {
  const given = textsOf(values);
  const isKey = typeof key === "string" && qualifiedNameProblems(key).length === 0;
  if (!isKey || given.some((value) => labelValueProblems(value).length > 0)) return undefined;
  switch (operator) {
    case "In":
    case "NotIn":
      return given.length === 0
        ? undefined
        : { operator: operator === "In" ? "in" : "notin", key, values: given };
    case "Exists":
    case "DoesNotExist":
      return given.length > 0 ? undefined : { operator: operator === "Exists" ? "exists" : "absent", key };
    case "Gt":
    case "Lt":
      return bound(key, operator === "Gt" ? ">" : "<", given);
    default:
      return undefined;
  }
}

function bound(key: string, operator: ">" | "<", values: readonly string[]): LabelRequirement | undefined {
  const [value, ...others] = values;
  if (value === undefined || others.length > 0 || parseLabelInteger(value) === undefined) return undefined;
  return { operator, key, value };
}

/** Compiles a requirement on fields, which supports one key and one value. */
function fieldMatch({ key, operator, values }: NodeSelectorRequirement): NodeMatch | undefined {
  const [name, ...others] = textsOf(values);
  if (key !== "metadata.name" || name === undefined || others.length > 0) return undefined;
  if (stringOf(operator) === "In") return (node) => node.name === name;
  return stringOf(operator) === "NotIn" ? (node) => node.name !== name : undefined;
}
