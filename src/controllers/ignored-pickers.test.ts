import { expect, onTestFinished, test } from "vitest";
import type { Deployment, ReplicaSet } from "../api/generated/apps-v1.ts";
import { deployments, events, replicaSets } from "../api/resources.ts";
import { testCluster } from "../testing/test-cluster.ts";

const annotations = {
  "trimtab.dev/downscale-pod-picker": JSON.stringify({ http: { host: "picker.default.svc", port: 80 } }),
};

function draft(name: string) {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
  return {
    metadata: { namespace: "default", name, annotations },
    spec: { replicas: 3, selector: { matchLabels: labels }, template },
  };
}

/** A cluster with a Deployment and a ReplicaSet of its own, both with a picker. */
async function start(isOn: boolean) {
  const cluster = await testCluster({ gates: { DownscalePodPicker: isOn } });
  onTestFinished(() => cluster.stop());
  const { client, clock } = cluster;
  await client.create<Deployment>(deployments, draft("web"));
  await client.create<ReplicaSet>(replicaSets, draft("batch"));
  await clock.advance(60_000);
  const said = async () => {
    const { items } = await client.list(events, { namespace: "default" });
    return items
      .filter(({ reason }) => reason === "DownscalePodPickerIgnored")
      .map(({ involvedObject, count, message }) => `${involvedObject.kind} ${count}: ${message}`)
      .toSorted();
  };
  return { client, clock, said };
}

const message =
  "pod pickers are switched off in this cluster: Pods are removed in the normal order (feature gate DownscalePodPicker)";

test("a workload whose picker is never asked is told so once, and again when it has another generation", async () => {
  const { client, clock, said } = await start(false);
  expect(await said()).toEqual([`Deployment 1: ${message}`, `ReplicaSet 1: ${message}`]);
  await client.patch(
    deployments,
    { namespace: "default", name: "web" },
    { type: "merge", body: { spec: { replicas: 2 } } },
  );
  await clock.advance(60_000);
  expect(await said()).toEqual([`Deployment 2: ${message}`, `ReplicaSet 1: ${message}`]);
});

test("nothing is said where pickers are asked", async () => {
  const { said } = await start(true);
  expect(await said()).toEqual([]);
});
