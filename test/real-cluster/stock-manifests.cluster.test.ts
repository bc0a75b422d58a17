/** The production manifests of the picker stories, applied to a stock control plane, with `trimtab steer` beside it. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deployments, horizontalPodAutoscalers, replicaSets } from "../../src/api/resources.ts";
import { runClient } from "../clients/client-process.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { newestKubectl } from "../kubectl/kubectls.ts";
import { eventually } from "./eventually.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { prepareSteer, startSteer } from "./steer-program.ts";

const examples = fileURLToPath(new URL("../../examples/", import.meta.url));
const pickerAnnotation = "trimtab.dev/downscale-pod-picker";

let cluster: RealCluster;
beforeAll(async () => {
  cluster = await startRealCluster({ controllers: "all" });
  await startSteer(await prepareSteer(cluster));
});
afterAll(() => cluster.stop());

const stories = [
  { folder: "airflow-workers", name: "worker", replicas: 6 },
  { folder: "game-shards", name: "shard", replicas: 6 },
  { folder: "spark-executors", name: "spark-worker", replicas: 6 },
  { folder: "regional-web", name: "web", replicas: 12 },
];

/** `kubectl apply` as a careful person types it: a field that the cluster does not know is an error. */
async function apply(namespace: string, folder: string, files: readonly string[]) {
  const [kubectl] = newestKubectl();
  const command = [
    kubectl?.program ?? "kubectl",
    "--kubeconfig",
    cluster.kubeconfig,
    "--namespace",
    namespace,
  ];
  const named = files.flatMap((file) => ["--filename", `${examples}${folder}/${file}`]);
  return runClient({ command, env: process.env }, "apply", "--server-side", "--validate=strict", ...named);
}

test.for(stories)(
  "$folder: a stock cluster takes stock.yaml and autoscaler.yaml as they are",
  async (story, { skip }) => {
    if (newestKubectl().length === 0) return skip("skipped: no kubectl here");
    const { folder, name, replicas } = story;
    await makeNamespace(cluster.client, folder);
    const applied = await apply(folder, folder, ["stock.yaml", "autoscaler.yaml"]);
    expect(applied).toMatchObject({ code: 0 });
    const at = { namespace: folder, name };
    const { metadata } = await cluster.client.get(deployments, at);
    expect(JSON.parse(metadata.annotations?.[pickerAnnotation] ?? "")).toMatchObject({ timeoutSeconds: 10 });
    // The stock controller hands the annotation on to the ReplicaSet, which is where steer reads it.
    const [own] = await eventually("its ReplicaSet", async () => {
      const { items } = await cluster.client.list(replicaSets, { namespace: folder });
      const some = items.filter((item) => item.metadata.ownerReferences?.[0]?.name === name);
      return some.length > 0 ? some : undefined;
    });
    expect(own).toMatchObject({ spec: { replicas } });
    expect(own?.metadata.annotations).toHaveProperty([pickerAnnotation]);
    const autoscaler = await cluster.client.get(horizontalPodAutoscalers, at);
    expect(autoscaler.spec.scaleTargetRef).toMatchObject({ kind: "Deployment", name });
  },
);

test.for(stories)(
  "$folder: it does not take manifests.yaml, whose picker is a field",
  async ({ folder }, { skip }) => {
    if (newestKubectl().length === 0) return skip("skipped: no kubectl here");
    const namespace = `${folder}-fields`;
    await makeNamespace(cluster.client, namespace);
    const { code, err } = await apply(namespace, folder, ["manifests.yaml"]);
    expect(code).toBe(1);
    expect(err).toMatch(/unknown field|field not declared in schema/);
  },
);
