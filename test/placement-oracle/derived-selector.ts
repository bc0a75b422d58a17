import type { Service } from "../../src/api/generated/core-v1.ts";
import type { LabelSelector, OwnerReference } from "../../src/api/generated/meta-v1.ts";
import {
  type LabelRequirement,
  type LabelSelection,
  selectionOf,
} from "../../src/api/labels/label-selector.ts";
import { controllerOf } from "../../src/api/owner-references.ts";
import type { PodInfo } from "./snapshot/pod-info.ts";
import {
  isObject,
  itemsOf,
  labelOf,
  pairsOf,
  stringOf,
} from "../../src/decisions/placement/objects/reading.ts";
import { readSelector } from "../../src/decisions/placement/objects/pod-selection.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";

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
export function deriveSelector(pod: PodInfo, snapshot: Snapshot): DerivedSelector {
  const owner = ownerContribution(pod, snapshot);
  const contributions = [
    ...servicesOf(pod, snapshot).map(serviceContribution),
    ...(owner === undefined ? [] : [owner]),
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
export function servicesOf(pod: PodInfo, snapshot: Snapshot): readonly Service[] {
  return snapshot.servicesIn(pod.namespace).filter(({ spec }) => {
    if (!isObject(spec?.selector)) return false;
    return Object.entries(spec.selector).every(([key, value]) => labelOf(pod.labels, key) === value);
  });
}

function serviceContribution({ metadata, spec }: Service): Contribution {
  return { source: { kind: "Service", name: stringOf(metadata?.name) }, pairs: pairsOf(spec.selector) };
}

// upstream: looked up by name alone, so a recreated controller counts for the Pods of the old one
function ownerContribution({ pod, namespace }: PodInfo, snapshot: Snapshot): Contribution | undefined {
  const owner = controllerOf({ metadata: { ownerReferences: itemsOf(pod.metadata?.ownerReferences) } });
  if (owner === undefined) return undefined;
  const name = stringOf(owner.name);
  switch (kindOf(owner)) {
    case "v1/ReplicationController": {
      const pairs = pairsOf(snapshot.replicationController(namespace, name)?.spec?.selector);
      return { source: { kind: "ReplicationController", name }, pairs };
    }
    case "apps/v1/ReplicaSet": {
      const requirements = requirementsOf(snapshot.replicaSet(namespace, name)?.spec?.selector);
      return { source: { kind: "ReplicaSet", name }, requirements };
    }
    case "apps/v1/StatefulSet": {
      const requirements = requirementsOf(snapshot.statefulSet(namespace, name)?.spec?.selector);
      return { source: { kind: "StatefulSet", name }, requirements };
    }
    default:
      return undefined;
  }
}

function kindOf({ apiVersion, kind }: OwnerReference): string {
  return `${stringOf(apiVersion)}/${stringOf(kind)}`;
}

function requirementsOf(selector: LabelSelector | undefined): readonly LabelRequirement[] {
  const read = readSelector(selector);
  return read.ok && read.selection.selects === "matching" ? read.selection.requirements : [];
}
