import type {
  PodAffinity,
  PodAffinityTerm,
  WeightedPodAffinityTerm,
} from "../../../api/generated/core-v1.ts";
import {
  type Labels,
  type LabelSelection,
  matchesLabels,
  nothing,
} from "../../../api/labels/label-selector.ts";
import { isObject, itemsOf, numberOf, stringOf, textsOf } from "./reading.ts";
import { readSelector } from "./pod-selection.ts";

/** A term of Pod affinity or anti-affinity, parsed (upstream: AffinityTerm). */
export interface AffinityTerm {
  readonly namespaces: ReadonlySet<string>;
  /** Further namespaces, by their labels. */
  readonly namespaceSelection: LabelSelection;
  readonly selection: LabelSelection;
  readonly topologyKey: string;
  /** Of a preferred term; 0 for required ones. */
  readonly weight: number;
}

/** The terms of one kind of affinity. */
export interface AffinityTerms {
  readonly required: readonly AffinityTerm[];
  readonly preferred: readonly AffinityTerm[];
  /** The error of the first term that cannot be parsed; all terms of its list are then left out. */
  readonly problem?: string;
}

const noTerms: AffinityTerms = { required: [], preferred: [] };

/** Parses the terms of a Pod's affinity or anti-affinity; `namespace` is the Pod's own. */
export function affinityTermsOf(affinity: PodAffinity | null | undefined, namespace: string): AffinityTerms {
  if (!isObject(affinity)) return noTerms;
  const required = itemsOf<PodAffinityTerm>(affinity.requiredDuringSchedulingIgnoredDuringExecution);
  const preferred = itemsOf<WeightedPodAffinityTerm>(
    affinity.preferredDuringSchedulingIgnoredDuringExecution,
  );
  const hard = readTerms(required.map((term) => readTerm(term, 0, namespace)));
  const soft = readTerms(
    preferred.map(({ podAffinityTerm, weight }) =>
      readTerm(podAffinityTerm ?? {}, numberOf(weight, 0), namespace),
    ),
  );
  const problem = hard.problem ?? soft.problem;
  const terms = { required: hard.terms, preferred: soft.terms };
  return problem === undefined ? terms : { ...terms, problem };
}

/** Whether there is a required or preferred term. */
export function hasTerms({ required, preferred }: AffinityTerms): boolean {
  return required.length + preferred.length > 0;
}

function readTerms(read: readonly (AffinityTerm | string)[]): {
  readonly terms: readonly AffinityTerm[];
  readonly problem?: string;
} {
  const problem = read.find((term) => typeof term === "string");
  return problem === undefined
    ? { terms: read.filter((term) => typeof term !== "string") }
    : { terms: [], problem };
}

/** The term, or the error text when it cannot be parsed. */
function readTerm(term: Partial<PodAffinityTerm>, weight: number, namespace: string): AffinityTerm | string {
  const selector = readSelector(term.labelSelector);
  if (!selector.ok) return selector.message;
  const byLabels = readSelector(term.namespaceSelector);
  if (!byLabels.ok) return byLabels.message;
  const named = textsOf(term.namespaces);
  const isOwnOnly = named.length === 0 && byLabels.selection === nothing;
  return {
    namespaces: new Set(isOwnOnly ? [namespace] : named),
    namespaceSelection: byLabels.selection,
    selection: selector.selection,
    topologyKey: stringOf(term.topologyKey),
    weight,
  };
}

/** What terms match of a Pod. */
interface Candidate {
  readonly namespace: string;
  readonly labels: Labels;
}

/** Whether a term matches a Pod; `namespaceLabels` are the labels of the Pod's namespace. */
export function matchesTerm(term: AffinityTerm, pod: Candidate, namespaceLabels: Labels): boolean {
  const isInNamespace =
    term.namespaces.has(pod.namespace) || matchesLabels(term.namespaceSelection, namespaceLabels);
  return isInNamespace && matchesLabels(term.selection, pod.labels);
}
