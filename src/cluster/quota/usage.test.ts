import { expect, test } from "vitest";
import type { Container, PodSpec } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { formatTime } from "../../api/time.ts";
import { amountTexts } from "./amounts.ts";
import { isInScope } from "./scopes.ts";
import { collectionOfResource, usageOf } from "./usage.ts";

const now = 1_800_000_000_000;

const container = (name: string, requests: JsonObject = {}, limits: JsonObject = {}) =>
  ({ name, resources: { requests, limits } }) as Container;
const pod = (spec: Partial<PodSpec>, rest: JsonObject = {}): JsonObject => ({
  metadata: { name: "web", namespace: "default" },
  ...rest,
  spec: { containers: [], ...spec } as unknown as JsonObject,
});
const used = (collection: string, object: JsonObject) => amountTexts(usageOf(collection, object, now));

const counted = { "count/pods": "1", pods: "1" };

test.for<{ name: string; object: JsonObject; want: Readonly<Record<string, string>> }>([
  { name: "without requests is counted", object: pod({}), want: counted },
  {
    name: "uses what its containers request and may use",
    object: pod({
      containers: [
        container("a", { cpu: "500m", memory: "1Gi" }, { cpu: "1", memory: "2Gi" }),
        container("b", { cpu: "1", "example.com/gpu": "2" }, { "example.com/gpu": "2" }),
      ],
    }),
    want: {
      ...counted,
      cpu: "1500m",
      "requests.cpu": "1500m",
      memory: "1Gi",
      "requests.memory": "1Gi",
      "limits.cpu": "1",
      "limits.memory": "2Gi",
      "requests.example.com/gpu": "2",
    },
  },
  {
    name: "uses what its largest init container needs beside the sidecars before it, and its overhead",
    object: pod({
      initContainers: [
        { ...container("side", { cpu: "100m" }), restartPolicy: "Always" },
        container("setup", { cpu: "2" }),
      ],
      containers: [container("a", { cpu: "1" })],
      overhead: { cpu: "10m" },
    }),
    want: { ...counted, cpu: "2110m", "requests.cpu": "2110m" },
  },
  {
    name: "that has ended is only an object",
    object: pod({ containers: [container("a", { cpu: "1" })] }, { status: { phase: "Succeeded" } }),
    want: { "count/pods": "1" },
  },
  {
    name: "that should have ended long ago is only an object",
    object: pod(
      {},
      { metadata: { deletionTimestamp: formatTime(now - 31_000), deletionGracePeriodSeconds: 30 } },
    ),
    want: { "count/pods": "1" },
  },
  {
    name: "that is ending is still counted",
    object: pod({}, { metadata: { deletionTimestamp: formatTime(now), deletionGracePeriodSeconds: 30 } }),
    want: counted,
  },
])("a Pod $name", ({ object, want }) => {
  expect(used("pods", object)).toEqual(want);
});

test.for<{ collection: string; spec?: JsonObject; want: Readonly<Record<string, string>> }>([
  { collection: "configmaps", want: { "count/configmaps": "1", configmaps: "1" } },
  { collection: "deployments.apps", want: { "count/deployments.apps": "1" } },
  { collection: "events", want: {} },
  { collection: "services", spec: { ports: [{}, {}] }, want: { "count/services": "1", services: "1" } },
  {
    collection: "services",
    spec: { type: "NodePort", ports: [{}, {}] },
    want: { "count/services": "1", services: "1", "services.nodeports": "2" },
  },
  {
    collection: "services",
    spec: { type: "LoadBalancer", ports: [{ nodePort: 30_000 }, {}], allocateLoadBalancerNodePorts: false },
    want: {
      "count/services": "1",
      services: "1",
      "services.loadbalancers": "1",
      "services.nodeports": "1",
    },
  },
  {
    collection: "persistentvolumeclaims",
    spec: { storageClassName: "fast", resources: { requests: { storage: "5Gi" } } },
    want: {
      "count/persistentvolumeclaims": "1",
      persistentvolumeclaims: "1",
      "requests.storage": "5Gi",
      "fast.storageclass.storage.k8s.io/persistentvolumeclaims": "1",
      "fast.storageclass.storage.k8s.io/requests.storage": "5Gi",
    },
  },
])("an object of $collection uses $want", ({ collection, spec = {}, want }) => {
  const object = { metadata: { name: "x" }, spec };
  expect(used(collection, object)).toEqual(want);
  // What an object uses is looked for among the objects of its collection.
  for (const resource of Object.keys(want)) expect(collectionOfResource(resource)).toBe(collection);
});

const urgent = pod({ priorityClassName: "high", activeDeadlineSeconds: 5 });
const burstable = pod({ containers: [container("a", { cpu: "1" })] });
const priority = (operator: string, ...values: readonly string[]) => ({
  scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator, values }] },
});

test.for<{ spec: JsonObject; urgent: boolean; burstable: boolean }>([
  { spec: {}, urgent: true, burstable: true },
  { spec: { scopes: ["Terminating"] }, urgent: true, burstable: false },
  { spec: { scopes: ["NotTerminating"] }, urgent: false, burstable: true },
  { spec: { scopes: ["BestEffort"] }, urgent: true, burstable: false },
  { spec: { scopes: ["NotBestEffort"] }, urgent: false, burstable: true },
  { spec: { scopes: ["BestEffort", "NotTerminating"] }, urgent: false, burstable: false },
  { spec: { scopes: ["PriorityClass"] }, urgent: true, burstable: false },
  { spec: { scopes: ["CrossNamespacePodAffinity"] }, urgent: false, burstable: false },
  { spec: priority("In", "high", "higher"), urgent: true, burstable: false },
  { spec: priority("NotIn", "high"), urgent: false, burstable: true },
  { spec: priority("DoesNotExist"), urgent: false, burstable: true },
])("of the scope $spec an urgent Pod is $urgent, a burstable one $burstable", (row) => {
  const quota = { metadata: { name: "q" }, spec: row.spec };
  expect(isInScope(quota as never, "pods", urgent)).toBe(row.urgent);
  expect(isInScope(quota as never, "pods", burstable)).toBe(row.burstable);
});

test("a quota with scopes counts nothing but Pods", () => {
  const quota = { metadata: { name: "q" }, spec: { scopes: ["NotTerminating"] } };
  expect(isInScope(quota as never, "configmaps", { metadata: {} })).toBe(false);
});
