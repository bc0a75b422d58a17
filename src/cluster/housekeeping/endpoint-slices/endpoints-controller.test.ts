import { expect, onTestFinished, test } from "vitest";
import type { Endpoint } from "../../../api/generated/discovery-v1.ts";
import type { Endpoints, Service } from "../../../api/generated/core-v1.ts";
import { endpoints, endpointSlices, pods, services } from "../../../api/resources.ts";
import { ifFound } from "../../../machinery/client/api-error.ts";
import { testCluster } from "../../../testing/test-cluster.ts";
import { contentOf } from "./endpoints-controller.ts";

const labels = { app: "web" };
const web = { namespace: "default", name: "web" };

function describeSubsets({ subsets = [] }: Pick<Endpoints, "subsets">): readonly string[] {
  return subsets.map(({ addresses = [], notReadyAddresses = [], ports = [] }) => {
    const names = (list: typeof addresses) => list.map(({ targetRef }) => targetRef?.name).join();
    const told = ports.map(({ name, port }) => `${name}:${port}`).join();
    return `${told} ready ${names(addresses)} not ${names(notReadyAddresses)}`;
  });
}

test("Endpoints follow the Pods of a Service, and go with it", async () => {
  const { client, clock, stop } = await testCluster({ nodes: 1 });
  onTestFinished(stop);
  const stored = () => ifFound(client.get(endpoints, web));
  const run = async (name: string, annotations: Readonly<Record<string, string>> = {}) => {
    const spec = { nodeName: "node-1", containers: [{ name: "web", image: "nginx" }] };
    await client.create(pods, { metadata: { ...web, name, labels, annotations }, spec });
    await clock.advance(5000);
  };
  const spec = { clusterIP: "None", selector: labels, ports: [{ name: "http", port: 80 }] };
  await client.create(services, { metadata: { ...web, labels: { team: "a" } }, spec });
  await run("a", { "sim.trimtab.dev/terminationDelay": "10s" });
  await run("b", { "sim.trimtab.dev/neverReady": "true" });
  expect(describeSubsets((await stored()) ?? {})).toEqual(["http:80 ready a not b"]);
  expect((await stored())?.metadata.labels).toEqual({
    team: "a",
    "service.kubernetes.io/headless": "",
    "endpoints.kubernetes.io/managed-by": "endpoint-controller",
  });
  await client.delete(pods, { ...web, name: "a" });
  await clock.advance(1000);
  expect(describeSubsets((await stored()) ?? {})).toEqual(["http:80 ready  not b"]);
  await client.patch(services, web, { type: "merge", body: { metadata: { labels: { team: "b" } } } });
  await clock.advance(1000);
  const { items } = await client.list(endpointSlices, { labelSelector: "kubernetes.io/service-name=web" });
  const teams = [(await stored())?.metadata, ...items.map(({ metadata }) => metadata)];
  expect(teams.map((metadata) => metadata?.labels?.["team"])).toEqual(["b", "b"]);
  await client.delete(services, web);
  await clock.advance(5000);
  expect(await stored()).toBeUndefined();
});

test("Endpoints of a Service without a selector are left to their writer", async () => {
  const { client, clock, stop } = await testCluster({ nodes: 1 });
  onTestFinished(stop);
  await client.create(services, { metadata: web, spec: { ports: [{ port: 80 }] } });
  const subsets = [{ addresses: [{ ip: "240.0.0.9" }], ports: [{ port: 80, protocol: "TCP" }] }];
  await client.create(endpoints, { metadata: web, subsets });
  await clock.advance(5000);
  await client.delete(services, web);
  await clock.advance(5000);
  expect((await client.get(endpoints, web)).subsets).toEqual(subsets);
});

const endpoint = (name: string, conditions: Endpoint["conditions"] = { ready: true }): Endpoint => ({
  addresses: ["240.0.0.1"],
  ...(conditions !== undefined && { conditions }),
  targetRef: { kind: "Pod", name, uid: name },
});
const service = (spec: Service["spec"] = {}): Service => ({
  metadata: { ...web, uid: "web", resourceVersion: "1" },
  spec,
});
const many = (count: number, prefix: string, conditions?: Endpoint["conditions"]) =>
  Array.from({ length: count }, (_, index) => ({
    endpoint: endpoint(`${prefix}${index}`, conditions),
    ports: [],
  }));

test("more than a thousand addresses are cut, and said to be; the ready ones stay", () => {
  const { subsets, isTruncated } = contentOf(service(), [
    ...many(600, "waiting", { ready: false }),
    ...many(600, "ready"),
  ]);
  expect(
    subsets.map(({ addresses, notReadyAddresses }) => [addresses?.length, notReadyAddresses?.length]),
  ).toEqual([[600, 400]]);
  expect(isTruncated).toBe(true);
});

test("Pods with different ports are in subsets of their own, and ending ones only where all are published", () => {
  const port = (number: number) => [{ name: "http", port: number, protocol: "TCP" }];
  const given = [
    { endpoint: endpoint("a"), ports: port(80) },
    { endpoint: endpoint("b"), ports: port(8080) },
    { endpoint: endpoint("c", { ready: true, terminating: true }), ports: port(80) },
  ];
  const told = (spec?: Service["spec"]) => describeSubsets(contentOf(service(spec), given));
  expect(told()).toEqual(["http:80 ready a not ", "http:8080 ready b not "]);
  expect(told({ publishNotReadyAddresses: true })).toEqual([
    "http:80 ready a,c not ",
    "http:8080 ready b not ",
  ]);
});
