import * as fc from "fast-check";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Affinity, Node, Pod, PodSpec, Service, Taint } from "../../src/api/generated/core-v1.ts";
import type { LabelSelector } from "../../src/api/generated/meta-v1.ts";
import { pod as buildPod } from "../../src/testing/pod.ts";
import { podVolumes } from "./random-volumes.ts";

const zone = "topology.kubernetes.io/zone";
const hostname = "kubernetes.io/hostname";
const namespaces = ["default", "other"];
/** Few names, so that events meet the same objects again. */
export const nodeNames = ["n0", "n1", "n2", "n3", "n4", "n5", "n6"];
const podNames = Array.from({ length: 14 }, (_, index) => `p${index}`);

/** Mostly the first, sometimes another. */
const mostly = <T>(usual: T, others: fc.Arbitrary<T>, weight = 4): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });
const oneOf = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
/** An object without the members that came out as `undefined`. */
const object = <T extends object>(members: { [Key in keyof T]: fc.Arbitrary<T[Key] | undefined> }) => {
  const all: Readonly<Record<string, fc.Arbitrary<unknown>>> = members;
  return fc
    .record(all)
    .map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)) as T);
};

const labels = object<Record<string, string>>({
  app: oneOf("a", "a", "b", undefined),
  tier: oneOf(undefined, undefined, "front", ""),
  "pod-template-hash": oneOf(undefined, undefined, "1", "2"),
});
const selector: fc.Arbitrary<LabelSelector | undefined> = fc.oneof(
  oneOf<LabelSelector | undefined>(
    { matchLabels: { app: "a" } },
    { matchLabels: { app: "b" } },
    { matchExpressions: [{ key: "app", operator: "Exists" }] },
    { matchExpressions: [{ key: "tier", operator: "DoesNotExist" }] },
    { matchLabels: { app: "a" }, matchExpressions: [{ key: "tier", operator: "NotIn", values: ["front"] }] },
  ),
  mostly<LabelSelector | undefined>(
    { matchLabels: { app: "a" } },
    oneOf<LabelSelector | undefined>(
      {},
      undefined,
      { matchExpressions: [{ key: "app", operator: "Odd" }] },
      // Requirements in another order are the same selector.
      { matchExpressions: [{ key: "app", operator: "In", values: ["b", "a"] }] },
    ),
  ),
);

const taint = oneOf<Taint>(
  { key: "spot", value: "yes", effect: "NoSchedule" },
  { key: "old", effect: "PreferNoSchedule" },
  { key: "gone", effect: "NoExecute" },
);

/** Any node: most have a zone, a hostname and enough room. */
export const anyNode: fc.Arbitrary<Node> = fc
  .record({
    name: oneOf(...nodeNames),
    labels: object<Record<string, string>>({
      [zone]: oneOf("z1", "z2", "z3", "z1", "z2", "", undefined),
      [hostname]: mostly<string | undefined>("own", oneOf("shared", undefined), 6),
      rack: oneOf("r1", "r2", undefined),
    }),
    taints: fc.array(taint, { maxLength: 2 }).map((all) => (all.length > 1 ? all : [])),
    unschedulable: mostly(false, fc.constant(true), 8),
    allocatable: object<Record<string, string>>({
      cpu: mostly<string | undefined>("4", oneOf("1", "0", undefined)),
      memory: mostly<string | undefined>("8Gi", oneOf("1Gi", undefined, "20E")),
      pods: mostly<string | undefined>("110", oneOf("1", "2", undefined)),
      "example.com/gpu": oneOf(undefined, undefined, "2"),
    }),
    images: oneOf([], [{ names: ["registry.example/app:1"], sizeBytes: 500_000_000 }]),
  })
  .map(({ name, labels: { [hostname]: host, ...given }, taints, unschedulable, allocatable, images }) => ({
    metadata: {
      name,
      uid: `uid-of-${name}`,
      resourceVersion: "1",
      labels: { ...given, ...(host === undefined ? {} : { [hostname]: host === "own" ? name : host }) },
    },
    spec: { taints, unschedulable },
    status: { allocatable, images },
  }));

const policy = oneOf<"Honor" | "Ignore" | undefined>(undefined, "Honor", "Ignore");
const constraint = object<NonNullable<PodSpec["topologySpreadConstraints"]>[number]>({
  maxSkew: oneOf(1, 1, 2, 5),
  topologyKey: oneOf(zone, hostname, "rack"),
  whenUnsatisfiable: oneOf("DoNotSchedule", "ScheduleAnyway"),
  labelSelector: selector,
  minDomains: oneOf(undefined, undefined, 2, 4),
  nodeAffinityPolicy: policy,
  nodeTaintsPolicy: policy,
  matchLabelKeys: oneOf(undefined, undefined, ["pod-template-hash"]),
});

const nodeExpression = oneOf(
  { matchExpressions: [{ key: zone, operator: "In", values: ["z1", "z2"] }] },
  { matchExpressions: [{ key: "rack", operator: "Exists" }] },
  { matchFields: [{ key: "metadata.name", operator: "In", values: ["n1"] }] },
  { matchExpressions: [{ key: zone, operator: "Odd" }] },
);
const nodeAffinity = fc.oneof(
  fc.array(nodeExpression, { minLength: 1, maxLength: 2 }).map((nodeSelectorTerms) => ({
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
  })),
  oneOf({
    preferredDuringSchedulingIgnoredDuringExecution: [
      { weight: 7, preference: { matchExpressions: [{ key: "rack", operator: "Exists" }] } },
    ],
  }),
);
const podTerm = fc.record({
  topologyKey: oneOf(zone, hostname),
  labelSelector: oneOf({ matchLabels: { app: "a" } }, { matchLabels: { app: "b" } }),
  namespaceSelector: oneOf(undefined, undefined, { matchLabels: { team: "x" } }),
});
const podTerms = fc.oneof(
  podTerm.map((term) => ({ requiredDuringSchedulingIgnoredDuringExecution: [term] })),
  podTerm.map((podAffinityTerm) => ({
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 10, podAffinityTerm }],
  })),
);
const affinity: fc.Arbitrary<Affinity | undefined> = mostly<Affinity | undefined>(
  undefined,
  fc.oneof(
    nodeAffinity.map((made) => ({ nodeAffinity: made })),
    podTerms.map((podAffinity) => ({ podAffinity })),
    podTerms.map((podAntiAffinity) => ({ podAntiAffinity })),
  ) as fc.Arbitrary<Affinity>,
);

const spec = object<Partial<PodSpec>>({
  containers: fc
    .record({
      requests: object<Record<string, string>>({
        cpu: oneOf("100m", "1", "2500m", undefined),
        memory: oneOf("500Mi", "1Gi", undefined),
        "example.com/gpu": mostly<string | undefined>(undefined, oneOf("1")),
      }),
      ports: mostly<readonly { containerPort: number; hostPort: number }[] | undefined>(
        undefined,
        oneOf([{ containerPort: 80, hostPort: 8080 }]),
        8,
      ),
    })
    .map(({ requests, ports }) => [
      { name: "app", image: "registry.example/app:1", resources: { requests }, ...(ports && { ports }) },
    ]),
  tolerations: oneOf<PodSpec["tolerations"]>(
    undefined,
    undefined,
    [{ key: "spot", operator: "Exists" }],
    [{ operator: "Exists" }],
  ),
  nodeSelector: mostly<Record<string, string> | undefined>(
    undefined,
    oneOf({ [zone]: "z1" }, { rack: "r1" }),
  ),
  affinity,
  volumes: podVolumes,
  topologySpreadConstraints: fc.oneof(
    oneOf<PodSpec["topologySpreadConstraints"]>(undefined),
    fc.array(constraint, { minLength: 1, maxLength: 3 }),
  ),
});

const owner = oneOf(undefined, undefined, "rs-a", "rs-b");

/** A Pod that has no node yet. */
export const waitingPod: fc.Arbitrary<Pod> = fc
  .record({ namespace: oneOf(...namespaces), labels, spec, owner, nominated: mostly("", oneOf("n1", "n2")) })
  .map((traits) => podOf("waiting", { ...traits, isTerminating: false }));

/** A Pod that may be put on a node. */
export const runningPod: fc.Arbitrary<Pod> = fc
  .record({
    name: oneOf(...podNames),
    namespace: oneOf(...namespaces),
    labels,
    spec,
    owner,
    isTerminating: mostly(false, fc.constant(true), 5),
  })
  .map(({ name, ...traits }) => podOf(name, { ...traits, nominated: "" }));

interface Traits {
  readonly namespace: string;
  readonly labels: Record<string, string>;
  readonly spec: Partial<PodSpec>;
  readonly owner: string | undefined;
  readonly isTerminating: boolean;
  readonly nominated: string;
}

function podOf(name: string, { owner: replicaSet, isTerminating, nominated, ...traits }: Traits): Pod {
  const made = buildPod(name, {
    ...traits,
    node: null,
    ...(isTerminating && { deletedAt: "2026-01-02T00:00:00Z" }),
    ...(replicaSet !== undefined && {
      owner: { apiVersion: "apps/v1", kind: "ReplicaSet", name: replicaSet },
    }),
  });
  return {
    ...made,
    metadata: { ...made.metadata, labels: traits.labels },
    status: nominated === "" ? {} : { nominatedNodeName: nominated },
  };
}

const metadataOf = (name: string, namespace: string) => ({
  name,
  namespace,
  uid: `uid-of-${name}`,
  resourceVersion: "1",
});

export const anyService: fc.Arbitrary<Service> = fc
  .record({
    name: oneOf("s1", "s2"),
    namespace: oneOf(...namespaces),
    selector: oneOf<Record<string, string> | undefined>(
      { app: "a" },
      { app: "b" },
      { tier: "front" },
      undefined,
    ),
  })
  .map(({ name, namespace, selector: wanted }) => ({
    metadata: metadataOf(name, namespace),
    spec: wanted === undefined ? {} : { selector: wanted },
  }));

export const anyReplicaSet: fc.Arbitrary<ReplicaSet> = fc
  .record({ name: oneOf("rs-a", "rs-b"), namespace: oneOf(...namespaces), selector })
  .map(({ name, namespace, selector: wanted }) => ({
    metadata: metadataOf(name, namespace),
    spec: { selector: wanted ?? {} },
  }));
