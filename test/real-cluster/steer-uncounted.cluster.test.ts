import { afterAll, beforeAll, expect, test } from "vitest";
import { template } from "../deployment/builders.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { startScene } from "./scene.ts";
import { prepareSteer, startSteer } from "./steer-program.ts";

let cluster: RealCluster;
beforeAll(async () => {
  // As before Kubernetes 1.33: no terminatingReplicas, no streamed lists.
  const gates = { DeploymentReplicaSetTerminatingReplicas: false, WatchList: false };
  cluster = await startRealCluster({ controllers: "all", gates });
  await startSteer(await prepareSteer(cluster));
});
afterAll(() => cluster.stop());

const complete = { "trimtab.dev/pod-replacement-policy": "TerminationComplete" };

test("without terminatingReplicas the budget is kept, and capped Deployments are woken", async () => {
  const scene = await startScene(cluster, "uncounted", {
    replicas: 6,
    maxSurge: 1,
    maxUnavailable: 1,
    annotations: complete,
    endsIn: "2s",
  });
  await scene.settled(6);
  expect((await scene.replicaSets())[0]?.status).not.toHaveProperty("terminatingReplicas");
  await scene.change({ template: template({ image: "web:2", startsIn: "50ms", endsIn: "2s" }) });
  await scene.settled(6);
  await scene.change({ replicas: 2 });
  await scene.change({ replicas: 6 });
  await scene.settled(6);
  expect(scene.watch.mostPods()).toBeLessThanOrEqual(7);
});
