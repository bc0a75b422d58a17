import type { Pod } from "../src/api/generated/core-v1.ts";
import { noObjects } from "../src/decisions/explain/cluster-objects.ts";
import { explainScaleDown } from "../src/decisions/explain/explain-scale-down.ts";
import { scaleDownText } from "../src/decisions/explain/scale-down-text.ts";
import { pod } from "../src/testing/pod.ts";
import { replicaSet } from "../src/testing/replica-set.ts";
import { type Measure, medianMs } from "./measure.ts";
import { now, realisticPods } from "./realistic-pods.ts";

const size = 10_000;

/** Explaining a scale-down of a large ReplicaSet, from its objects to the text. */
export function explain(): readonly Measure[] {
  const owner = {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    name: "web",
    uid: "uid-of-web",
    controller: true,
  };
  const labels = { app: "web", "pod-template-hash": "web" };
  const owned = (each: Pod): Pod => ({
    ...each,
    metadata: { ...each.metadata, namespace: "default", labels, ownerReferences: [owner] },
  });
  const pods = realisticPods(size, 0.01).map(owned);
  const alike = pods.map(({ metadata: { name, uid } }) => owned(pod(name, { uid })));
  const workload = { kind: "ReplicaSet", namespace: "default", name: "web" } as const;
  const taking = (profile: "trimtab" | "kubernetes-1.36", replicas: number, known = pods): number => {
    const objects = { ...noObjects, replicaSets: [replicaSet("web", { size })], pods: known };
    return medianMs(() => {
      const explanation = explainScaleDown(objects, { workload, replicas, now, profile });
      return explanation && scaleDownText(explanation);
    }, 3);
  };
  return [
    { what: "explaining 10,000 → 9,990 Pods", value: taking("trimtab", size - 10), unit: "ms", goal: 1000 },
    { what: "explaining 10,000 → 5,000 Pods", value: taking("trimtab", size / 2), unit: "ms", goal: 1000 },
    {
      what: "explaining 10,000 → 9,990 Pods as Kubernetes",
      value: taking("kubernetes-1.36", size - 10),
      unit: "ms",
    },
    {
      what: "explaining 10,000 → 5,000 Pods as Kubernetes",
      value: taking("kubernetes-1.36", size / 2),
      unit: "ms",
      goal: 1000,
    },
    {
      what: "explaining 10,000 → 5,000 Pods that are all alike, as Kubernetes",
      value: taking("kubernetes-1.36", size / 2, alike),
      unit: "ms",
      goal: 1000,
    },
  ];
}
