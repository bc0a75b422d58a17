import { afterAll, beforeAll, expect, test } from "vitest";
import { deployments, nodes } from "../../src/api/resources.ts";
import { template } from "../deployment/builders.ts";
import { makeControllersUser } from "./controllers-user.ts";
import { untilObject } from "./eventually.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { startScene } from "./scene.ts";
import { startTrimtab } from "./trimtab-program.ts";

let cluster: RealCluster;
beforeAll(async () => {
  // As before Kubernetes 1.33: no terminatingReplicas, no streamed lists.
  const gates = { DeploymentReplicaSetTerminatingReplicas: false, WatchList: false };
  // Requests beyond these limits are answered with 429 and Retry-After, but for administrators'.
  const apiServerFlags = ["--enable-priority-and-fairness=false", "--max-mutating-requests-inflight=8"];
  cluster = await startRealCluster({ gates, scheduler: true, apiServerFlags });
  const kubeconfig = await makeControllersUser(cluster);
  const flags = ["--no-lease", "--log-level", "warn"];
  cluster.alsoStop(await startTrimtab({ command: "controllers", kubeconfig, flags, folder: cluster.folder }));
});
afterAll(() => cluster.stop());

test("TerminationComplete is kept where the API server does not store terminatingReplicas", async () => {
  const namespace = "uncounted";
  const scene = await startScene(cluster, namespace, {
    replicas: 5,
    maxSurge: 2,
    maxUnavailable: 1,
    endsIn: "1s",
    annotations: { "trimtab.dev/pod-replacement-policy": "TerminationComplete" },
  });
  await scene.settled(5);
  await scene.change({ template: template({ image: "web:2", startsIn: "50ms", endsIn: "1s" }) });
  await scene.settled(5);
  expect(scene.watch.mostPods()).toBeLessThanOrEqual(7);
  await scene.change({ replicas: 2 });
  await scene.settled(2);
  const at = { namespace, name: "web" };
  const { status } = await untilObject(cluster.client, deployments, at, () => true);
  expect(status?.terminatingReplicas).toBeUndefined();
});

test("an API server that is busy gets the requests when it asks for them", async () => {
  const scene = await startScene(cluster, "busy", { replicas: 60, endsIn: "0s" });
  await scene.settled(60);
  await scene.change({ replicas: 5 });
  await scene.settled(5);
  expect(scene.watch.mostPods()).toBe(60);
  const metrics = await cluster.read("/metrics");
  expect(metrics).toMatch(/^apiserver_request_total\{code="429",.*resource="pods",.*verb="POST"/m);
});

test("kube-scheduler places Pods on the nodes that the stand-in for the kubelet registers", async () => {
  const scene = await startScene(cluster, "placed", { replicas: 3 });
  await scene.settled(3);
  const used = new Set((await scene.pods()).map(({ spec }) => spec.nodeName));
  const { items } = await cluster.client.list(nodes, {});
  expect(used).toEqual(new Set(items.map(({ metadata }) => metadata.name)));
});
