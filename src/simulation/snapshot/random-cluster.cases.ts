import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Node, Pod, PodSpec } from "../../api/generated/core-v1.ts";
import { formatTime } from "../../api/time.ts";
import { type ClusterObjects, noObjects } from "../../decisions/explain/cluster-objects.ts";
import { newUid } from "../../machinery/random/identifiers.ts";
import { oneOf, type Random, randomInt } from "../../machinery/random/random.ts";
import { node } from "../../testing/node.ts";
import { pod } from "../../testing/pod.ts";

/** When the random clusters are looked at. */
export const lookedAt = 1_770_000_000_000;

const zoneKey = "topology.kubernetes.io/zone";
const hostKey = "kubernetes.io/hostname";
const images = ["shop/web:1", "shop/web:2", "shop/web", "registry.example:5000/cache@sha256:ab12"];

/** Deployments in the middle of anything on a few nodes: what snapshots are tested with. */
export function randomCluster(random: Random): ClusterObjects {
  const namespaces = ["ops", "shop"];
  const nodes = Array.from({ length: 2 + randomInt(random, 5) }, (_, index) => randomNode(index, random));
  const workloads = Array.from({ length: 1 + randomInt(random, 3) }, (_, index) =>
    randomWorkload({ name: `web-${index}`, namespace: namespaces[index % 2] ?? "ops", nodes }, random),
  );
  return {
    ...noObjects,
    namespaces: namespaces.map((name) => ({
      metadata: {
        name,
        uid: newUid(random),
        resourceVersion: "1",
        labels: { "kubernetes.io/metadata.name": name, team: `team-${name}` },
      },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    })),
    nodes,
    deployments: workloads.map(({ deployment }) => deployment),
    replicaSets: workloads.flatMap(({ replicaSets }) => replicaSets),
    pods: workloads.flatMap(({ pods }) => pods),
    services: workloads
      .filter(() => chance(random, 0.5))
      .map(({ deployment: { metadata, spec } }) => ({
        metadata: { ...metadata, uid: newUid(random) },
        spec: { selector: spec.selector.matchLabels ?? {} },
      })),
    priorityClasses: [{ metadata: { name: "gold", uid: newUid(random), resourceVersion: "1" }, value: 1000 }],
  };
}

function randomNode(index: number, random: Random): Node {
  const base = node(`node-${index}`, {
    zone: oneOf(["a", "b", "c"], random) ?? "a",
    labels: { disk: oneOf(["ssd", "hdd"], random) ?? "ssd", "cpu-generation": String(randomInt(random, 12)) },
    allocatable: { cpu: oneOf(["2", "4", "500m"], random) ?? "2" },
    images: [{ names: [oneOf(images, random) ?? "", "shop/web:latest"], sizeBytes: 300_000_000 * index }],
    unschedulable: chance(random, 0.1),
    taints: chance(random, 0.2) ? [{ key: "dedicated", value: "games", effect: "NoSchedule" }] : [],
  });
  return {
    ...base,
    metadata: { ...base.metadata, uid: newUid(random), annotations: { "acme.example/rack": "SECRET-rack" } },
    status: { ...base.status, conditions: readiness(chance(random, 0.9), lookedAt - 9_000_000) },
  };
}

interface WorkloadPlace {
  readonly name: string;
  readonly namespace: string;
  readonly nodes: readonly Node[];
}

interface RandomWorkload {
  readonly deployment: Deployment;
  readonly replicaSets: readonly ReplicaSet[];
  readonly pods: readonly Pod[];
}

function randomWorkload({ name, namespace, nodes }: WorkloadPlace, random: Random): RandomWorkload {
  const labels = { app: name };
  const uid = newUid(random);
  const constraints = randomPlacement(labels, random);
  const envOnly = chance(random, 0.5);
  const revisions = Array.from({ length: 1 + randomInt(random, 2) }, (_, index) => {
    const image = envOnly ? images[0] : images[index];
    const spec: PodSpec = {
      ...constraints,
      containers: [
        {
          name: "app",
          ...(image !== undefined && { image }),
          env: [{ name: "TOKEN", value: `SECRET-${index}` }],
          command: ["serve", "--password=SECRET-flag"],
          resources: { requests: { cpu: "100m" } },
        },
      ],
    };
    const hash = `hash${index}`;
    const template = { metadata: { labels: { ...labels, "pod-template-hash": hash } }, spec };
    return { hash, template, uid: newUid(random), size: randomInt(random, 6) };
  });
  const last = revisions.at(-1);
  const replicas = randomInt(random, 8);
  const deployment: Deployment = {
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion: "1",
      generation: 3,
      creationTimestamp: formatTime(lookedAt - 90_000_000),
      labels,
      annotations: {
        "deployment.kubernetes.io/revision": String(revisions.length),
        "kubectl.kubernetes.io/last-applied-configuration": "SECRET-applied",
      },
    },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { ...last?.template, metadata: { labels } },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: 1 } },
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 10,
    },
    status: { observedGeneration: 3 },
  };
  const owned = revisions.map((revision, index) => {
    const owner = {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      name: `${name}-${revision.hash}`,
      uid: revision.uid,
    };
    const pods = Array.from({ length: revision.size }, (_, count) =>
      randomPod(
        { name: `${owner.name}-${count}`, namespace, nodes, owner, template: revision.template },
        random,
      ),
    );
    return { pods, replicaSet: replicaSetOf(deployment, { ...revision, index, pods, name: owner.name }) };
  });
  return {
    deployment,
    replicaSets: owned.map(({ replicaSet }) => replicaSet),
    pods: owned.flatMap(({ pods }) => pods),
  };
}

interface Revision {
  readonly name: string;
  readonly hash: string;
  readonly uid: string;
  readonly index: number;
  readonly size: number;
  readonly template: ReplicaSet["spec"]["template"] & object;
  readonly pods: readonly Pod[];
}

function replicaSetOf(deployment: Deployment, revision: Revision): ReplicaSet {
  const { name, uid, namespace = "" } = deployment.metadata;
  const ready = revision.pods.filter(({ status }) => status?.conditions?.[0]?.status === "True").length;
  return {
    metadata: {
      name: revision.name,
      namespace,
      uid: revision.uid,
      resourceVersion: "1",
      generation: 1,
      creationTimestamp: formatTime(lookedAt - 80_000_000 + revision.index * 1000),
      labels: revision.template.metadata?.labels ?? {},
      annotations: {
        "deployment.kubernetes.io/revision": String(revision.index + 1),
        "deployment.kubernetes.io/desired-replicas": String(deployment.spec.replicas),
      },
      ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", name, uid, controller: true }],
    },
    spec: {
      replicas: revision.size,
      selector: { matchLabels: revision.template.metadata?.labels ?? {} },
      template: revision.template,
    },
    status: {
      replicas: revision.size,
      readyReplicas: ready,
      availableReplicas: ready,
      observedGeneration: 1,
    },
  };
}

interface PodPlace extends WorkloadPlace {
  readonly owner: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
  };
  readonly template: ReplicaSet["spec"]["template"] & object;
}

function randomPod({ name, namespace, nodes, owner, template }: PodPlace, random: Random): Pod {
  const isAssigned = chance(random, 0.85);
  const createdAt = lookedAt - 1000 * (60 + randomInt(random, 100_000));
  const base = pod(name, {
    namespace,
    uid: newUid(random),
    node: isAssigned ? (oneOf(nodes, random)?.metadata.name ?? null) : null,
    phase: isAssigned ? "Running" : "Pending",
    createdAt: formatTime(createdAt),
    restarts: randomInt(random, 3),
    ...(chance(random, 0.3) && { deletionCost: randomInt(random, 3) - 1 }),
    annotations: { "acme.example/note": "SECRET-note" },
    spec: template.spec ?? {},
  });
  const conditions = readiness(isAssigned && chance(random, 0.8), createdAt + 1000 * randomInt(random, 50));
  return {
    ...base,
    metadata: {
      ...base.metadata,
      labels: { ...template.metadata?.labels },
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    },
    status: { ...base.status, conditions },
  };
}

function readiness(isReady: boolean, since: number) {
  const status = isReady ? "True" : "False";
  return [{ type: "Ready", status, lastTransitionTime: formatTime(since), message: "SECRET-message" }];
}

/** One of the ways to say where Pods should go. */
function randomPlacement(
  labels: Readonly<Record<string, string>>,
  random: Random,
): Omit<PodSpec, "containers"> {
  const labelSelector = { matchLabels: labels };
  const choices: readonly Omit<PodSpec, "containers">[] = [
    {},
    { nodeSelector: { disk: "ssd" } },
    {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: zoneKey, whenUnsatisfiable: "DoNotSchedule", labelSelector },
        { maxSkew: 2, topologyKey: hostKey, whenUnsatisfiable: "ScheduleAnyway", labelSelector },
      ],
    },
    {
      tolerations: [{ key: "dedicated", operator: "Equal", value: "games", effect: "NoSchedule" }],
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 10,
              podAffinityTerm: { labelSelector, topologyKey: hostKey, namespaces: ["ops", "shop"] },
            },
          ],
        },
      },
    },
    {
      priorityClassName: "gold",
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: "cpu-generation", operator: "Gt", values: ["3"] }] },
              { matchExpressions: [{ key: zoneKey, operator: "In", values: ["a", "b"] }] },
            ],
          },
        },
      },
    },
  ];
  return oneOf(choices, random) ?? {};
}

function chance(random: Random, share: number): boolean {
  return random.next() < share;
}
