import { expect, test } from "vitest";
import type { Endpoint, EndpointSlice } from "../../../api/generated/discovery-v1.ts";
import { endpointSlices, nodes, pods, services } from "../../../api/resources.ts";
import { controllerOf } from "../../../api/owner-references.ts";
import { testCluster } from "../../../testing/test-cluster.ts";
import type { PortedEndpoint } from "./endpoint-of-pod.ts";
import { planSlices } from "./plan-slices.ts";

const labels = { app: "web" };

async function clusterWithService() {
  const cluster = await testCluster({ nodes: 2, zones: 2 });
  const { client, clock } = cluster;
  await clock.advance(1000);
  await client.create(services, {
    metadata: { name: "web", namespace: "default" },
    spec: { selector: labels, ports: [{ name: "http", port: 80, targetPort: "http" }] },
  });
  const run = async (name: string, annotations: Readonly<Record<string, string>> = {}) => {
    const ports = [{ name: "http", containerPort: 8080 }];
    const spec = { nodeName: "node-1", containers: [{ name: "web", image: "nginx", ports }] };
    await client.create(pods, { metadata: { name, namespace: "default", labels, annotations }, spec });
    await clock.advance(5000);
  };
  const told = async () => {
    const { items } = await client.list(endpointSlices, {
      namespace: "default",
      labelSelector: "kubernetes.io/service-name=web",
    });
    return items.map(describeSlice);
  };
  return { ...cluster, run, told };
}

function describeSlice({ endpoints = [], ports = [] }: EndpointSlice): string {
  const each = endpoints.map(({ targetRef, conditions = {}, nodeName, zone }) => {
    const { ready, serving, terminating } = conditions;
    const state = [ready && "ready", serving && "serving", terminating && "terminating"].filter(Boolean);
    return `${targetRef?.name}@${nodeName}/${zone}(${state.join(" ")})`;
  });
  return `${ports.map(({ name, port }) => `${name}:${port}`).join()} ${each.join()}`;
}

test("a Service has its Pods as endpoints: ready, not ready, terminating, gone", async () => {
  const { client, clock, run, told, stop } = await clusterWithService();
  await clock.advance(1000);
  expect(await told()).toEqual([" "]);
  await run("a", { "sim.trimtab.dev/terminationDelay": "10s" });
  await run("b", { "sim.trimtab.dev/neverReady": "true" });
  expect(await told()).toEqual(["http:8080 a@node-1/zone-a(ready serving),b@node-1/zone-a()"]);
  await client.delete(pods, { namespace: "default", name: "a" });
  await clock.advance(1000);
  expect(await told()).toEqual(["http:8080 a@node-1/zone-a(serving terminating),b@node-1/zone-a()"]);
  await clock.advance(20_000);
  expect(await told()).toEqual(["http:8080 b@node-1/zone-a()"]);
  await client.delete(services, { namespace: "default", name: "web" });
  await clock.advance(5000);
  expect(await told()).toEqual([]);
  await stop();
});

test("a slice that is deleted is made again, and Pods of a node that is silent are not ready", async () => {
  const { client, clock, run, told, stop } = await clusterWithService();
  await run("a");
  await client.deleteCollection(endpointSlices, { namespace: "default" }, {});
  const annotations = { "sim.trimtab.dev/unreachable": "true" };
  await client.patch(nodes, { name: "node-1" }, { type: "merge", body: { metadata: { annotations } } });
  await clock.advance(60_000);
  expect(await told()).toEqual(["http:8080 a@node-1/zone-a()"]);
  await stop();
});

test("the port that a Service names may be that of a sidecar", async () => {
  const { client, clock, told, stop } = await clusterWithService();
  const proxy = {
    name: "proxy",
    image: "envoy",
    restartPolicy: "Always",
    ports: [{ name: "http", containerPort: 15_001 }],
  };
  await client.create(pods, {
    metadata: { name: "a", namespace: "default", labels },
    spec: { nodeName: "node-1", containers: [{ name: "web", image: "nginx" }], initContainers: [proxy] },
  });
  await clock.advance(5000);
  expect(await told()).toEqual(["http:15001 a@node-1/zone-a(ready serving)"]);
  await stop();
});

test("the slices of a Service that is deleted in the foreground are not made again", async () => {
  const { client, clock, run, told, stop } = await clusterWithService();
  await run("a");
  const web = { namespace: "default", name: "web" };
  const finalizers = ["example.com/load-balancer"];
  await client.patch(services, web, { type: "merge", body: { metadata: { finalizers } } });
  await client.delete(services, web, { propagationPolicy: "Foreground" });
  await clock.advance(5000);
  expect(await told()).toEqual([]);
  await stop();
});

test("a Service that is made anew has slices of its own", async () => {
  const { client, clock, run, stop } = await clusterWithService();
  await run("a");
  const web = { namespace: "default", name: "web" };
  const { spec } = await client.get(services, web);
  await client.delete(services, web, { propagationPolicy: "Orphan" });
  await clock.advance(1000);
  const { selector = {}, ports = [] } = spec;
  const { metadata } = await client.create(services, { metadata: web, spec: { selector, ports } });
  await clock.advance(5000);
  const { items } = await client.list(endpointSlices, { labelSelector: "kubernetes.io/service-name=web" });
  expect(items.map((each) => [controllerOf(each)?.uid, each.endpoints?.length])).toEqual([[metadata.uid, 1]]);
  await stop();
});

const endpoint = (name: string): Endpoint => ({ addresses: ["240.0.0.1"], targetRef: { name, uid: name } });
const ported = (count: number, from = 0): readonly PortedEndpoint[] =>
  Array.from({ length: count }, (_, index) => ({ endpoint: endpoint(`${from + index}`), ports: [] }));
const slice = (name: string, names: readonly number[]): EndpointSlice => ({
  metadata: { name, namespace: "default", uid: name, resourceVersion: "1" },
  addressType: "IPv4",
  ports: [],
  endpoints: names.map((each) => endpoint(String(each))),
});
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

test.for([
  { name: "fill slices of a hundred", wanted: ported(250), stored: [], want: "create 100 100 50" },
  {
    name: "that are there already change nothing",
    wanted: ported(3),
    stored: [slice("a", [0, 1, 2])],
    want: "",
  },
  {
    name: "stay where they are, and new ones take the room of those that went",
    wanted: ported(101, 50),
    stored: [slice("a", numbers(0, 100)), slice("b", numbers(100, 101))],
    want: "update a:100",
  },
  {
    name: "that are all gone leave one empty slice",
    wanted: [],
    stored: [slice("a", [1]), slice("b", [2])],
    want: "update a:0 remove b",
  },
])("endpoints $name", ({ wanted, stored, want }) => {
  const plan = planSlices(wanted, stored);
  const told = [
    ["create", ...plan.create.map(({ endpoints }) => endpoints.length)],
    ["update", ...plan.update.map((each) => `${each.slice.metadata.name}:${each.content.endpoints.length}`)],
    ["remove", ...plan.remove.map(({ metadata }) => metadata.name)],
  ];
  expect(
    told
      .filter(({ length }) => length > 1)
      .flat()
      .join(" "),
  ).toBe(want);
});
