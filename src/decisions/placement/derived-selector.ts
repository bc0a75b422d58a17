import type { Service } from "../../api/generated/core-v1.ts";
import type { LabelSelector, OwnerReference } from "../../api/generated/meta-v1.ts";
import {
  type LabelRequirement,
  type Labels,
  type LabelSelection,
  selectionOf,
} from "../../api/labels/label-selector.ts";
import { controllerOf } from "../../api/owner-references.ts";
import type { PodInfo } from "./objects/pod-info.ts";
import { perTemplate } from "./view/placement-template.ts";
import { isObject, itemsOf, labelOf, pairsOf, stringOf } from "./objects/reading.ts";
import { readSelector } from "./objects/pod-selection.ts";
import type { ClusterView } from "./view/cluster-view.ts";

/** An object that selects a Pod. */
export interface SelectorSource {
  readonly kind: "Service" | "ReplicationController" | "ReplicaSet" | "StatefulSet";
  readonly name: string;
}

/** The Pods that a Pod is spread with, and the objects whose selectors say so (upstream: helper.DefaultSelector). */
export interface DerivedSelector {
  readonly selection: LabelSelection;
  /** Empty when no object selects the Pod; the selection then has no requirements. */
  readonly from: readonly SelectorSource[];
}

/** What one object adds: pairs that replace earlier ones of the same key, or further requirements. */
interface Contribution {
  readonly source: SelectorSource;
  readonly pairs?: readonly (readonly [string, string])[];
  readonly requirements?: readonly LabelRequirement[];
}

/** Derives one selector from every Service that selects a Pod and from its controller. */
export function deriveSelector(pod: PodInfo, cluster: ClusterView): DerivedSelector {
  const latest = latestDerivation(pod, cluster);
  const services = servicesOf(pod, cluster);
  const owner = ownerOf(pod, cluster);
  const { of } = latest;
  const isCurrent = of?.owner?.selector === owner?.selector && areSame(of?.services, services);
  if (!isCurrent || latest.derived === undefined) {
    latest.of = { services, owner };
    latest.derived = derive(services, owner);
  }
  return latest.derived;
}

/** The last result for the Pods of a template, and the objects it was derived from; it holds while these are the same. */
interface Derivation {
  of?: { readonly services: readonly Service[]; readonly owner: SelectingOwner | undefined };
  derived?: DerivedSelector;
}

const latestDerivation = perTemplate((): Derivation => ({}));

function areSame(some: readonly Service[] | undefined, others: readonly Service[]): boolean {
  return some?.length === others.length && some.every((service, index) => service === others[index]);
}

function derive(services: readonly Service[], owner: SelectingOwner | undefined): DerivedSelector {
  const contributions = [
    ...services.map(serviceContribution),
    ...(owner === undefined ? [] : [ownerContribution(owner)]),
  ].filter(({ pairs = [], requirements = [] }) => pairs.length + requirements.length > 0);
  const pairs = new Map(contributions.flatMap((each) => each.pairs ?? []));
  const exact = [...pairs].map(([key, value]): LabelRequirement => ({ operator: "=", key, value }));
  const further = contributions
    .flatMap(({ requirements }) => requirements ?? [])
    .filter((requirement) => !isOneOf(pairs, requirement));
  return { selection: selectionOf([...exact, ...further]), from: contributions.map(({ source }) => source) };
}

/** Whether a requirement repeats a pair: a Service and a ReplicaSet mostly select by the same label. */
function isOneOf(pairs: ReadonlyMap<string, string>, requirement: LabelRequirement): boolean {
  return requirement.operator === "=" && pairs.get(requirement.key) === requirement.value;
}

/** The Services of its namespace that select a Pod. */
export function servicesOf(pod: PodInfo, cluster: ClusterView): readonly Service[] {
  return cluster.servicesIn(pod.namespace).filter(({ spec }) => {
    if (!isObject(spec?.selector)) return false;
    // Not by entries: this runs twice for every placement and Service, and needs no lists of pairs.
    for (const key in spec.selector)
      if (Object.hasOwn(spec.selector, key) && labelOf(pod.labels, key) !== spec.selector[key]) return false;
    return true;
  });
}

function serviceContribution({ metadata, spec }: Service): Contribution {
  return { source: { kind: "Service", name: stringOf(metadata?.name) }, pairs: pairsOf(spec.selector) };
}

/** The controller of a Pod and its selector. */
type SelectingOwner =
  | { readonly kind: "ReplicationController"; readonly name: string; readonly selector: Labels }
  | {
      readonly kind: "ReplicaSet" | "StatefulSet";
      readonly name: string;
      readonly selector: LabelSelector | undefined;
    };

// upstream: looked up by name alone, so a recreated controller counts for the Pods of the old one
function ownerOf({ pod, namespace }: PodInfo, cluster: ClusterView): SelectingOwner | undefined {
  const owner = controllerOf({ metadata: { ownerReferences: itemsOf(pod.metadata?.ownerReferences) } });
  if (owner === undefined) return undefined;
  const name = stringOf(owner.name);
  switch (kindOf(owner)) {
    case "v1/ReplicationController": {
      const selector = cluster.replicationController(namespace, name)?.spec?.selector;
      return { kind: "ReplicationController", name, selector };
    }
    case "apps/v1/ReplicaSet":
      return { kind: "ReplicaSet", name, selector: cluster.replicaSet(namespace, name)?.spec?.selector };
    case "apps/v1/StatefulSet":
      return { kind: "StatefulSet", name, selector: cluster.statefulSet(namespace, name)?.spec?.selector };
    default:
      return undefined;
  }
}

function ownerContribution({ kind, name, selector }: SelectingOwner): Contribution {
  const source = { kind, name };
  return kind === "ReplicationController"
    ? { source, pairs: pairsOf(selector) }
    : { source, requirements: requirementsOf(selector) };
}

function kindOf({ apiVersion, kind }: OwnerReference): string {
  return `${stringOf(apiVersion)}/${stringOf(kind)}`;
}

function requirementsOf(selector: LabelSelector | undefined): readonly LabelRequirement[] {
  const read = readSelector(selector);
  return read.ok && read.selection.selects === "matching" ? read.selection.requirements : [];
}
