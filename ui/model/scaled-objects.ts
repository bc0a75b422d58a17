import type { Pod } from "../../src/api/generated/core-v1.ts";
import { matchesLabels } from "../../src/api/labels/label-selector.ts";
import { parseLabelSelector } from "../../src/api/labels/parse-label-selector.ts";
import { controllerOf } from "../../src/api/owner-references.ts";
import type { ScaledObject } from "../../src/page/contract.ts";
import type { ClusterState } from "../live/cluster-state.ts";
import { type Workload, type WorkloadName, workloadNamed, workloadOfPod, workloadText } from "./workloads.ts";

/** An object of a custom kind as addresses name it: `Rollout.example.com`, which no kind of Kubernetes looks like. */
export function scaledName({ kind, group, namespace, name }: ScaledObject): WorkloadName {
  return { kind: `${kind}.${group}`, namespace, name };
}

/** Whether a name is that of an object of a custom kind. */
export const isScaledName = ({ kind }: Pick<WorkloadName, "kind">): boolean => kind.includes(".");

/** The Pods that the status of an object selects; `undefined` where it says nothing that can be read. */
export function podsOfScaled(
  { selector, namespace }: ScaledObject,
  { collections }: ClusterState,
): readonly Pod[] | undefined {
  if (selector === undefined) return undefined;
  const parsed = parseLabelSelector(selector);
  if (!parsed.ok) return undefined;
  return [...collections.pods.values()].filter(
    ({ metadata }) => metadata.namespace === namespace && matchesLabels(parsed.selection, metadata.labels),
  );
}

/** What a scale of the object would remove, as far as it can be known. */
export type ScaledPreview =
  /** Its Pods are those of one workload of Kubernetes, whose controller removes them in a known order. */
  | { readonly kind: "through"; readonly workload: Workload }
  | { readonly kind: "unknown"; readonly why: string };

/** Finds out whose order decides about the Pods of an object. */
export function scaledPreview(
  object: ScaledObject,
  pods: readonly Pod[] | undefined,
  state: ClusterState,
): ScaledPreview {
  if (pods === undefined) return unknown("its status does not say which Pods are its own");
  const [first] = pods;
  if (first === undefined) return unknown("none of its Pods is there");
  const owners = new Set(pods.map((pod) => controllerOf(pod)?.uid));
  const managers = new Set(pods.map((pod) => workloadText(workloadOfPod(pod, state))));
  if (managers.size > 1)
    return unknown("its Pods have several owners, and its controller decides how they share");
  const owner = controllerOf(first);
  if (owner === undefined) return unknown("no controller owns its Pods");
  const names = [workloadOfPod(first, state), { ...owner, namespace: object.namespace }];
  // Its own controller may own several ReplicaSets, and shares the size between them as it likes.
  for (const name of owners.size === 1 ? names : names.slice(0, 1)) {
    const workload = workloadNamed(name, state);
    if (workload !== undefined && previewed.has(workload.kind)) return { kind: "through", workload };
  }
  return unknown(`${owner.kind} ${owner.name} owns its Pods, and which of them go is up to its controller`);
}

const unknown = (why: string): ScaledPreview => ({ kind: "unknown", why });

/** The kinds whose controllers remove Pods in a known order. */
const previewed: ReadonlySet<Workload["kind"]> = new Set([
  "Deployment",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
]);
