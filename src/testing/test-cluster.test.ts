import { expect, onTestFinished, test } from "vitest";
import { isReady } from "../api/pod-state.ts";
import { pods, replicaSets } from "../api/resources.ts";
import {
  allComponentsExcept,
  type TestClusterOptions,
  testCluster,
  type TestTransport,
} from "./test-cluster.ts";

const labels = { app: "web" };
const web = {
  metadata: { namespace: "default", name: "web" },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1" }] } },
  },
};

async function start(options: TestClusterOptions = {}) {
  const cluster = await testCluster(options);
  onTestFinished(() => cluster.stop());
  return cluster;
}

test("all components run unless some are chosen", async () => {
  const names = (await start()).components.map(({ name }) => name);
  expect(names.toSorted()).toEqual(allComponentsExcept().toSorted());
  const { components } = await start({ components: ["kubelet"], observed: ["replicaset"] });
  expect(components.map(({ name }) => name)).toEqual(["kubelet", "replicaset"]);
});

test.for<TestTransport>(["in-process", "https"])(
  "the requests of a component are observed, %s",
  async (transport) => {
    const { client, clock, observed } = await start({ transport, observed: ["replicaset"] });
    await client.create(replicaSets, web);
    await clock.advance(5000);
    expect((await client.list(pods, {})).items.filter(isReady)).toHaveLength(2);
    const created = observed.requests.filter(
      ({ verb, collection }) => verb === "create" && collection === "pods",
    );
    expect(created).toHaveLength(2);
  },
);

test("faults meet the observed components alone", async () => {
  const { client, clock, observed } = await start({
    observed: ["replicaset"],
    faults: [{ call: () => Promise.reject(new Error("no connection")) }],
  });
  await client.create(replicaSets, web);
  await clock.advance(5000);
  expect((await client.list(pods, {})).items).toEqual([]);
  expect(observed.requests).toEqual([]);
});
