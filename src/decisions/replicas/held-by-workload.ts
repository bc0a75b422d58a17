import { controllerOf } from "../../api/owner-references.ts";
import { holdOf } from "./held-removal.ts";
import type { ReplicaOwner } from "./replica-owner.ts";

/** How many Pods of a workload are held back, as a sample of `trimtab_removals_held`. */
export interface HeldSample {
  readonly labels: { readonly namespace: string; readonly workload: string };
  readonly value: number;
}

/** The Pods that are held back, of all ReplicaSets of a workload together. */
export function heldByWorkload(owners: Iterable<ReplicaOwner>): Iterable<HeldSample> {
  const samples = new Map<string, HeldSample>();
  for (const owner of owners) {
    const steps = holdOf(owner)?.steps ?? [];
    if (steps.length === 0) continue;
    const { namespace = "", name } = owner.metadata;
    const controller = controllerOf(owner) ?? { kind: "ReplicaSet", name };
    const workload = `${controller.kind}/${controller.name}`;
    const key = `${namespace}/${workload}`;
    const value = steps.reduce((sum, { pods }) => sum + pods, samples.get(key)?.value ?? 0);
    samples.set(key, { labels: { namespace, workload }, value });
  }
  return samples.values();
}

/** The gauge of what is held back. */
export const heldGauge = {
  name: "trimtab_removals_held",
  help: "Pods beyond the size of a workload that are not removed because Pods are protected.",
  labels: ["namespace", "workload"],
} as const;
