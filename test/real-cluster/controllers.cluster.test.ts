import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  configMaps,
  deployments,
  leases,
  namespaces,
  pods,
  replicationControllers,
} from "../../src/api/resources.ts";
import { isGone } from "../../src/machinery/client/api-error.ts";
import { template } from "../deployment/builders.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { makeControllersUser } from "./controllers-user.ts";
import { eventually, untilObject } from "./eventually.ts";
import { tailOf } from "./program.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { startScene } from "./scene.ts";
import { startTrimtab, type TrimtabProgram } from "./trimtab-program.ts";

let cluster: RealCluster;
let kubeconfig: string;
let controllers: TrimtabProgram;
beforeAll(async () => {
  cluster = await startRealCluster();
  kubeconfig = await makeControllersUser(cluster);
  controllers = await startControllers();
});
afterAll(() => cluster.stop());

/** As a Pod with the rights of deploy/ would run them. */
async function startControllers(more: readonly string[] = []): Promise<TrimtabProgram> {
  const flags = ["--log-level", "warn", ...more];
  const program = await startTrimtab({ command: "controllers", kubeconfig, flags, folder: cluster.folder });
  cluster.alsoStop(program);
  return program;
}

/** The pod replacement policy of a stock API server is an annotation. */
const withPolicy = (policy: string | undefined) =>
  policy === undefined ? {} : { annotations: { "trimtab.dev/pod-replacement-policy": policy } };

describe("in place of the stock controllers", () => {
  test.for([
    { name: "rolling", namespace: "rolling", mostActive: 8 },
    {
      name: "rolling, TerminationComplete",
      namespace: "rolling-complete",
      policy: "TerminationComplete",
      mostPods: 8,
      mostActive: 8,
    },
    { name: "recreated", namespace: "recreated", strategy: "Recreate", mostPods: 6, mostActive: 6 },
    {
      name: "recreated, TerminationStarted",
      namespace: "recreated-started",
      strategy: "Recreate",
      policy: "TerminationStarted",
      mostActive: 6,
    },
  ] as const)("a Deployment is made, rolled, rolled back and removed: $name", async (story) => {
    const strategy = "strategy" in story ? { strategy: story.strategy } : { maxSurge: 2, maxUnavailable: 1 };
    const policy = "policy" in story ? story.policy : undefined;
    const scene = await startScene(cluster, story.namespace, {
      replicas: 6,
      ...strategy,
      ...withPolicy(policy),
    });
    await scene.settled(6);
    const [first] = await scene.replicaSets();
    await scene.change({ template: template({ image: "web:2", startsIn: "50ms", endsIn: "300ms" }) });
    await scene.settled(6);
    expect(await scene.replicaSets()).toHaveLength(2);
    await scene.change({ template: template({ startsIn: "50ms", endsIn: "300ms" }) });
    const { metadata } = await scene.settled(6);
    expect(metadata.annotations?.["deployment.kubernetes.io/revision"]).toBe("3");
    const sizes = (await scene.replicaSets()).map(({ metadata: { uid }, spec }) => [uid, spec.replicas]);
    expect(sizes).toContainEqual([first?.metadata.uid, 6]);
    expect(scene.watch.mostActive()).toBeLessThanOrEqual(story.mostActive);
    if ("mostPods" in story) expect(scene.watch.mostPods()).toBeLessThanOrEqual(story.mostPods);

    await cluster.client.delete(
      deployments,
      { namespace: story.namespace, name: "web" },
      { propagationPolicy: "Foreground" },
    );
    await eventually("nothing is left", async () =>
      (await scene.pods()).length + (await scene.replicaSets()).length === 0 ? true : undefined,
    );
  });

  test("a ReplicationController keeps its Pods", async () => {
    const namespace = "replication";
    await makeNamespace(cluster.client, namespace);
    const at = { namespace, name: "old" };
    const spec = { replicas: 3, selector: { app: "web" }, template: template({ startsIn: "50ms" }) };
    await cluster.client.create(replicationControllers, { metadata: at, spec });
    const ready = (count: number) =>
      untilObject(
        cluster.client,
        replicationControllers,
        at,
        ({ status }) => status?.readyReplicas === count,
      );
    await ready(3);
    await cluster.client.patch(replicationControllers, at, {
      type: "merge",
      body: { spec: { replicas: 1 } },
    });
    await untilObject(cluster.client, replicationControllers, at, ({ status }) => status?.replicas === 1);
    await cluster.client.delete(namespaces, { name: namespace });
  });

  test("the roles in deploy/ are enough for all of this", () => {
    // Later tests kill the API server, which refuses everybody until it has read the roles again.
    expect(tailOf(controllers, 1000)).not.toMatch(/forbidden/i);
  });
});

describe("when things fail", () => {
  const holder = async () =>
    (await cluster.client.get(leases, { namespace: "trimtab", name: "trimtab-controllers" })).spec
      .holderIdentity ?? "";

  test("a second copy takes over from a leader that is killed, and from one that ends", async () => {
    const scene = await startScene(cluster, "leaders", { replicas: 2 });
    await scene.settled(2);
    const first = await holder();
    const second = await startControllers();
    await controllers.stop("SIGKILL");
    await scene.change({ replicas: 4 });
    await scene.settled(4);
    const now = await holder();
    expect(now).not.toBe(first);

    controllers = await startControllers();
    await second.stop();
    await scene.change({ replicas: 1 });
    await scene.settled(1);
    expect(await holder()).not.toBe(now);
  });

  test("an API server that is restarted finds the controllers as they were, in the middle of a rollout, too", async () => {
    const scene = await startScene(cluster, "restarted", { replicas: 3 });
    await scene.settled(3);
    const names = (await scene.pods()).map(({ metadata }) => metadata.uid);
    await cluster.killApiServer();
    await cluster.restartApiServer();
    await scene.change({ replicas: 5 });
    await scene.settled(5);
    expect((await scene.pods()).map(({ metadata }) => metadata.uid)).toEqual(expect.arrayContaining(names));

    await scene.change({ template: template({ image: "web:2", startsIn: "50ms", endsIn: "300ms" }) });
    await eventually("the rollout has begun", async () => (await scene.replicaSets())[1]);
    await cluster.killApiServer();
    await cluster.restartApiServer();
    await scene.settled(5);
    expect((await scene.replicaSets()).map(({ spec }) => spec.replicas ?? 0).sort((a, b) => a - b)).toEqual([
      0, 5,
    ]);
    expect(controllers.ended()).toBe(false);
  });

  test("a watch whose past is compacted away is begun anew, and nothing that happened meanwhile is missed", async () => {
    await controllers.stop();
    // With a lease, one that stands still for too long would lose it and end before its watches begin anew.
    controllers = await startControllers(["--no-lease"]);
    const scene = await startScene(cluster, "expired", { replicas: 3 });
    await scene.settled(3);
    process.kill(controllers.pid, "SIGSTOP");
    try {
      await scene.change({ replicas: 5 });
      const [gone] = await scene.pods();
      await cluster.client.delete(pods, { namespace: "expired", name: gone?.metadata.name ?? "" });
      await cluster.killApiServer();
      await cluster.compact();
      await cluster.restartApiServer();
    } finally {
      process.kill(controllers.pid, "SIGCONT");
    }
    await scene.settled(5);
    expect(tailOf(controllers)).toContain("too old resource version");
    expect((await controllers.read("/readyz")).code).toBe(200);
  });

  test("a list whose past is compacted away between two pages is refused with 410, not continued", async () => {
    const { client } = cluster;
    const namespace = "pages";
    await makeNamespace(client, namespace);
    for (let page = 0; page < 3; page++)
      await client.create(configMaps, { metadata: { namespace, name: `page-${page}` } });
    const { continue: rest } = await client.list(configMaps, { namespace, limit: 1 });
    expect(rest).toBeDefined();
    await client.create(configMaps, { metadata: { namespace, name: "later" } });
    await cluster.killApiServer();
    await cluster.compact();
    await cluster.restartApiServer();
    const continued = client.list(configMaps, { namespace, limit: 1, continue: rest });
    await expect(continued).rejects.toSatisfy(isGone);
  });
});
