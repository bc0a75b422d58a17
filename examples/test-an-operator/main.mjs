import { setTimeout as pause } from "node:timers/promises";
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { startCluster } from "trimtab/cluster";
import { startOperator } from "./operator.mjs";

// The cluster of one test; any number of them may run at the same time.
const cluster = await startCluster({ nodes: 3, https: true });
const config = new KubeConfig();
config.loadFromString(cluster.kubeconfig);
const core = config.makeApiClient(CoreV1Api);
const operator = await startOperator(config);

const pods = async () => (await core.listNamespacedPod({ namespace: "default" })).items;
const until = async (check) => {
  while (!check(await pods())) await pause(20);
};

const metadata = { name: "shop", labels: { "example.com/kind": "shop" } };
await core.createNamespacedConfigMap({ namespace: "default", body: { metadata, data: { replicas: "2" } } });
await until((items) => items.filter(({ status }) => status.phase === "Running").length === 2);
console.log("the operator has started 2 Pods");

await core.deleteNamespacedConfigMap({ namespace: "default", name: "shop" });
await until((items) => items.every((pod) => pod.metadata.deletionTimestamp !== undefined));
console.log(`${(await pods()).length} Pods are terminating, for 5 minutes`);

await cluster.clock.advance(5 * 60_000);
await until((items) => items.length === 0); // one that has ended is listed for a moment
console.log(`5 minutes later, at once: ${(await pods()).length} Pods`);

await operator.stop();
await cluster.stop();
