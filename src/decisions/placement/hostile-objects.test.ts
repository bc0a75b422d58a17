import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { node } from "../../testing/node.ts";
import { pod } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { runToEnd } from "../../testing/run-to-end.ts";
import type { PodDisruptionBudget } from "../../api/generated/policy-v1.ts";
import { failedSchedulingMessage, describePreemption } from "../explain/placement-reason.ts";
import { defaultPlugins } from "./default-plugins.ts";
import { defaultPreemption } from "./default-preemption/plugin.ts";
import { evaluateNodes } from "./evaluate-nodes.ts";
import { explainPlacement } from "./explain-placement.ts";
import { pluginSetOf } from "./plugin-entry.ts";
import { placePod } from "./place-pod.ts";
import { measureWorkloadSkew } from "./pod-topology-spread/workload-skew.ts";
import { runPostFilter } from "./run-post-filter.ts";
import { podInfo } from "./objects/pod-info.ts";
import { clusterViewOf, type PlacementObjects } from "./view/list-view.ts";

const term = {
  labelSelector: {
    matchLabels: { app: "web" },
    matchExpressions: [{ key: "app", operator: "In", values: ["web"] }],
  },
  namespaceSelector: { matchLabels: { team: "red" } },
  namespaces: ["default"],
  topologyKey: "kubernetes.io/hostname",
};
const nodeTerm = {
  matchExpressions: [{ key: "gen", operator: "Gt", values: ["1"] }],
  matchFields: [{ key: "metadata.name", operator: "In", values: ["a"] }],
};
const affinityOf = {
  requiredDuringSchedulingIgnoredDuringExecution: [term],
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, podAffinityTerm: term }],
};
const constraint = {
  maxSkew: 1,
  topologyKey: "kubernetes.io/hostname",
  labelSelector: term.labelSelector,
  minDomains: 2,
  nodeAffinityPolicy: "Honor",
  nodeTaintsPolicy: "Honor",
  matchLabelKeys: ["app"],
};
const requests = { requests: { cpu: "1", memory: "1Gi", "example.com/gpu": 1 } };

/** A Pod that uses everything placement looks at. */
const fullPod = (name: string, on: string | null): Pod =>
  pod(name, {
    node: on,
    owner: { apiVersion: "apps/v1", kind: "ReplicaSet", name: "rs" },
    spec: {
      containers: [
        {
          name: "app",
          image: "registry/app",
          resources: requests,
          ports: [{ containerPort: 80, hostPort: 80, hostIP: "10.0.0.1", protocol: "TCP" }],
        },
      ],
      initContainers: [{ name: "side", restartPolicy: "Always", resources: requests }],
      resources: { requests: { cpu: "2" } },
      overhead: { cpu: "100m" },
      nodeSelector: { "kubernetes.io/hostname": "a" },
      tolerations: [{ key: "k", operator: "Equal", value: "v", effect: "NoSchedule" }],
      schedulingGates: [{ name: "gate" }],
      volumes: [{ name: "v", image: { reference: "data" } }],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [nodeTerm] },
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: nodeTerm }],
        },
        podAffinity: affinityOf,
        podAntiAffinity: affinityOf,
      },
      topologySpreadConstraints: [
        { ...constraint, whenUnsatisfiable: "DoNotSchedule" },
        { ...constraint, whenUnsatisfiable: "ScheduleAnyway" },
      ],
    },
  });

const fullNode = (name: string): Node =>
  node(name, {
    zone: "z",
    labels: { gen: "2" },
    taints: [{ key: "k", value: "v", effect: "NoSchedule" }],
    unschedulable: false,
    images: [{ names: ["registry/app:latest"], sizeBytes: 1e9 }],
  });

const meta = (name: string) => ({ name, namespace: "default", uid: name, resourceVersion: "1" });
const budget: PodDisruptionBudget = {
  metadata: meta("budget"),
  spec: { selector: term.labelSelector },
  status: { disruptionsAllowed: 0, disruptedPods: { p: "2026-01-01T00:00:00Z" } },
};
const urgent = fullPod("waiting", null);
const cluster: PlacementObjects & { readonly pod: Pod; readonly budgets: readonly PodDisruptionBudget[] } = {
  pod: {
    ...urgent,
    spec: { ...urgent.spec, priority: 5, preemptionPolicy: "PreemptLowerPriority" },
    status: { nominatedNodeName: "a" },
  },
  budgets: [budget],
  nodes: [fullNode("a"), fullNode("b")],
  pods: [fullPod("p", "a"), fullPod("q", "b")],
  services: [{ metadata: meta("web"), spec: { selector: { app: "web" } } }],
  replicaSets: [replicaSet("rs")],
  namespaces: [{ metadata: { ...meta("default"), labels: { team: "red" } }, spec: {} }],
};

const { postFilter } = defaultPreemption({ minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 100 });

type Path = readonly (string | number)[];

/** The paths of everything inside a value, the value itself left out. */
function pathsIn(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const path = [...at, Array.isArray(value) ? Number(key) : key];
    return [path, ...pathsIn(member, path)];
  });
}

/** The value with another one at a path. */
function replaceAt(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((member, index) => (index === key ? replaceAt(member, rest, by) : member));
  const members = { ...(value as Record<string, unknown>) };
  return { ...members, [key]: replaceAt(members[String(key)], rest, by) };
}

// The lists of objects are given by us; what is in them may be anything.
const paths = pathsIn(cluster).filter((path) => path.length > (path[0] === "pod" ? 1 : 2));
const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    "",
    "x",
    0,
    -1,
    1e300,
    Number.NaN,
    true,
    [],
    {},
    [null],
    ["x"],
    [[]],
    [{}],
  ),
  fc.constantFrom("__proto__", "constructor", "toString", "-5", "1Ei", "DoNotSchedule", "In", "Exists"),
  fc.jsonValue(),
);

test.for([true, false])("whatever objects look like, there is an answer (defaults: %s)", (gate) => {
  const gates = { ...defaultFeatureGates, DefaultPodTopologySpread: gate };
  const pluginSet = pluginSetOf(defaultPlugins({}, gates));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...paths), junk), { minLength: 1, maxLength: 4 }),
      (changes) => {
        const changed = changes.reduce<unknown>((value, [path, by]) => replaceAt(value, path, by), cluster);
        const { pod: waiting, ...objects } = changed as typeof cluster;
        const view = clusterViewOf(objects);
        for (const { preEnqueue } of pluginSet.filters) preEnqueue?.(podInfo(waiting));
        evaluateNodes(waiting, view, pluginSet);
        const placement = placePod(waiting, view, { pluginSet, draw: () => 0 });
        expect(typeof JSON.stringify(explainPlacement(placement))).toBe("string");
        expect(failedSchedulingMessage(placement) === undefined).toBe(placement.outcome.kind === "placed");
        const room = runToEnd(
          runPostFilter(placement, view, {
            postFilter,
            pluginSet,
            nominatedPods: () => [podInfo(waiting)],
            nominatedNode: waiting.status?.nominatedNodeName,
            budgetsIn: () => objects.budgets,
            draw: () => 0,
          }),
        );
        expect(room === undefined || describePreemption(room) !== "").toBe(true);
        runToEnd(measureWorkloadSkew(view, () => ({ defaultingType: "System" })));
      },
    ),
    { numRuns: 500 },
  );
});

test("as they are, the objects of this test make sense", () => {
  const { pod: waiting, ...objects } = cluster;
  const evaluation = evaluateNodes(waiting, clusterViewOf(objects), pluginSetOf(defaultPlugins()));
  expect(evaluation).toMatchObject({ kind: "evaluated" });
});
