import { afterAll, beforeAll, expect, test } from "vitest";
import { deployments, pods } from "../../src/api/resources.ts";
import { template, web } from "../deployment/builders.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { atRest } from "./at-rest.ts";
import { makeControllersUser } from "./controllers-user.ts";
import { eventually } from "./eventually.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { type RequestCounts, requestCounts, requestsBetween } from "./request-counts.ts";
import { type Scene, startScene } from "./scene.ts";
import { startTrimtab } from "./trimtab-program.ts";

let cluster: RealCluster;
let kubeconfig: string;
beforeAll(async () => {
  // Its defaults, 20 requests a second, would measure the limit.
  const controllerManagerFlags = ["--kube-api-qps=1000", "--kube-api-burst=1000"];
  cluster = await startRealCluster({ controllers: "all", controllerManagerFlags });
  kubeconfig = await makeControllersUser(cluster);
});
afterAll(() => cluster.stop());

/** Runs something with our controllers instead of the stock ones, which are back afterwards. */
async function withTrimtab(work: () => Promise<void>): Promise<void> {
  await cluster.runControllers("without-workloads");
  const flags = ["--no-lease", "--log-level", "warn"];
  const program = await startTrimtab({ command: "controllers", kubeconfig, flags, folder: cluster.folder });
  try {
    await work();
  } finally {
    await program.stop();
    await cluster.runControllers("all");
  }
}

let marked = 0;

/** Resolves when the controllers have read everything: they have made something of a newer object. */
async function caughtUp({ namespace }: Scene): Promise<void> {
  const name = `marker-${++marked}`;
  const at = { namespace, name };
  const labels = { marker: name };
  const containers = [{ name: "web", image: "web" }];
  const spec = {
    replicas: 0,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  };
  await cluster.client.create(deployments, { metadata: at, spec });
  const isObserved = async () =>
    (await cluster.client.get(deployments, at)).status?.observedGeneration === 1 ? true : undefined;
  await eventually("the controllers have read everything", isObserved);
}

test("controllers are handed over and back without a trace", async () => {
  const scene = await startScene(cluster, "handed-over", { replicas: 4 });
  await scene.settled(4);
  await scene.change({ template: template({ image: "web:2", startsIn: "50ms", endsIn: "300ms" }) });
  await scene.settled(4);
  const stock = await atRest(cluster.client, scene.namespace);
  let ours: readonly string[] = [];
  await withTrimtab(async () => {
    await caughtUp(scene);
    expect(await atRest(cluster.client, scene.namespace)).toEqual(stock);
    await scene.change({
      template: template({ image: "web:3", startsIn: "50ms", endsIn: "300ms" }),
      replicas: 6,
    });
    await scene.settled(6);
    ours = await atRest(cluster.client, scene.namespace);
  });
  await caughtUp(scene);
  expect(await atRest(cluster.client, scene.namespace)).toEqual(ours);
  await scene.change({ replicas: 2 });
  await scene.settled(2);
});

/** Five Deployments are made, rolled, scaled down and removed. */
async function requestsOf(namespace: string): Promise<RequestCounts> {
  const { client } = cluster;
  await makeNamespace(client, namespace);
  const before = await requestCounts(cluster);
  const names = ["a", "b", "c", "d", "e"];
  const each = (work: (at: { namespace: string; name: string }) => Promise<unknown>) =>
    Promise.all(names.map((name) => work({ namespace, name })));
  const settled = (replicas: number) =>
    eventually(`${replicas} each`, async () => {
      const { items } = await client.list(deployments, { namespace });
      const isDone = items.every(
        ({ metadata, status = {} }) =>
          status.observedGeneration === metadata.generation &&
          [status.replicas, status.updatedReplicas, status.availableReplicas].every(
            (count) => (count ?? 0) === replicas,
          ),
      );
      return isDone ? true : undefined;
    });
  await each(({ name }) => {
    const labels = { app: name };
    const draft = web({ name, replicas: 6, maxSurge: "25%", maxUnavailable: "25%" });
    return client.create(deployments, {
      metadata: { namespace, name },
      spec: {
        ...draft.spec,
        selector: { matchLabels: labels },
        template: template({ startsIn: "50ms", endsIn: "100ms" }, labels),
      },
    });
  });
  await settled(6);
  await each((at) =>
    client.patch(deployments, at, {
      type: "merge",
      body: {
        spec: {
          template: template({ image: "web:2", startsIn: "50ms", endsIn: "100ms" }, { app: at.name }),
        } as never,
      },
    }),
  );
  await settled(6);
  await each((at) => client.patch(deployments, at, { type: "merge", body: { spec: { replicas: 2 } } }));
  await settled(2);
  await each((at) => client.delete(deployments, at, { propagationPolicy: "Background" }));
  await eventually("all is gone", async () =>
    (await client.list(pods, { namespace })).items.length === 0 ? true : undefined,
  );
  return requestsBetween(before, await requestCounts(cluster));
}

const compared = [
  "GET replicasets",
  "PUT replicasets",
  "PUT replicasets/status",
  "PUT deployments/status",
  "POST pods",
  "DELETE pods",
];

test("the same work takes no more requests than with the stock controllers", async () => {
  const stock = await requestsOf("counted-stock");
  let ours: RequestCounts = new Map();
  await withTrimtab(async () => {
    ours = await requestsOf("counted-ours");
  });
  const counts = compared.map((sort) => ({ sort, stock: stock.get(sort) ?? 0, ours: ours.get(sort) ?? 0 }));
  // Both depend on how many events fall into one reconcile, and so on the load of the machine.
  const more = counts.filter((each) => each.ours > each.stock * 1.5 + 20);
  expect(more).toEqual([]);
});
