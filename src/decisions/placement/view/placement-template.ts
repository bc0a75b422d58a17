import { deepEqual } from "../../../api/deep-equal.ts";
import type { Pod } from "../../../api/generated/core-v1.ts";
import { controllerOf } from "../../../api/owner-references.ts";
import type { PodInfo } from "../objects/pod-info.ts";
import { itemsOf } from "../objects/reading.ts";
import type { ClusterColumns } from "./cluster-columns.ts";
import type { ClusterView } from "./cluster-view.ts";

/** The common part of Pods that placement can tell apart only by their names. */
export interface PlacementTemplate {
  readonly key: string;
}

/** Limits the numbers that all templates together keep; templates are cheap to compute again. */
const maxNumbers = 2 ** 20;

/** The templates of the Pods that were placed lately. */
export class PlacementTemplates {
  readonly #byKey = new Map<string, PlacementTemplate>();
  readonly #byPod = new WeakMap<PodInfo, PlacementTemplate>();
  #latest: { readonly pod: PodInfo; readonly template: PlacementTemplate } | undefined;

  /** The template of a Pod; `capacity` is the length of the columns. */
  of(pod: PodInfo, capacity: number): PlacementTemplate {
    const known = this.#byPod.get(pod);
    if (known !== undefined) return known;
    const template = this.#latestFor(pod) ?? this.#byContent(pod, capacity);
    this.#byPod.set(pod, template);
    this.#latest = { pod, template };
    return template;
  }

  /** Returns the template that was asked for last, if it fits: comparing is cheaper than writing the key. */
  #latestFor(pod: PodInfo): PlacementTemplate | undefined {
    return this.#latest !== undefined && isSameTemplate(this.#latest.pod, pod)
      ? this.#latest.template
      : undefined;
  }

  #byContent(pod: PodInfo, capacity: number): PlacementTemplate {
    const key = keyOf(pod);
    const template = this.#byKey.get(key) ?? { key };
    if (this.#byKey.size >= Math.max(maxNumbers / capacity, 16)) this.#byKey.clear();
    this.#byKey.set(key, template);
    return template;
  }
}

const comparedMembers = ["tolerations", "nodeSelector", "affinity", "topologySpreadConstraints"] as const;

/** Whether all is equal that goes into the key. Two infos share a request where containers and the like are equal. */
function isSameTemplate(one: PodInfo, other: PodInfo): boolean {
  return (
    one.request === other.request &&
    one.hostPorts === other.hostPorts &&
    one.namespace === other.namespace &&
    deepEqual(one.labels, other.labels) &&
    deepEqual(one.pod.metadata?.ownerReferences, other.pod.metadata?.ownerReferences) &&
    hasSameSpec(one.pod, other.pod)
  );
}

function hasSameSpec(one: Pod, other: Pod): boolean {
  if (hasImageVolume(one) || hasImageVolume(other)) return false;
  return comparedMembers.every((member) => deepEqual(one.spec?.[member], other.spec?.[member]));
}

function hasImageVolume({ spec }: Pod): boolean {
  return itemsOf(spec?.volumes).some(({ image }) => image !== undefined);
}

/** Everything that a function of `perTemplate` may read of a Pod. */
function keyOf({ pod, namespace, labels, request, hostPorts }: PodInfo): string {
  const { containers, initContainers, overhead, resources, volumes } = pod.spec ?? {};
  const { tolerations, nodeSelector, affinity, topologySpreadConstraints } = pod.spec ?? {};
  const controller = controllerOf({ metadata: { ownerReferences: itemsOf(pod.metadata?.ownerReferences) } });
  const needs = [...itemsOf(initContainers), null, ...itemsOf(containers)].map(
    (container) => container && [container.image, container.resources, container.restartPolicy],
  );
  const images = itemsOf(volumes).map(({ image }) => image);
  return JSON.stringify([
    [namespace, labels, controller?.apiVersion, controller?.kind, controller?.name],
    [tolerations, nodeSelector, affinity, topologySpreadConstraints],
    [needs, overhead, resources, images, [...request], hostPorts],
  ]);
}

/**
 * Computes something once per template: it may read of a Pod only its namespace, labels and controller, and of its spec
 * the tolerations, node selector, affinity, spread constraints, requests, host ports and images. Of the columns, which a template
 * belongs to, it may keep what changes with them.
 */
export function perTemplate<T>(
  make: (pod: PodInfo, columns: ClusterColumns) => T,
): (pod: PodInfo, cluster: ClusterView) => T {
  const made = new WeakMap<PlacementTemplate, { readonly value: T }>();
  return (pod, { columns }) => {
    const template = columns.templateOf(pod);
    const known = made.get(template);
    if (known !== undefined) return known.value;
    const value = make(pod, columns);
    made.set(template, { value });
    return value;
  };
}
