/** What goes wrong beside a real control plane; test/steering has the same and more in virtual time. */
import { readFileSync } from "node:fs";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isActive } from "../../src/api/pod-state.ts";
import { deployments, pods, replicaSets } from "../../src/api/resources.ts";
import { hasMarkAnnotations } from "../../src/decisions/stock/mark.ts";
import { isConflict } from "../../src/machinery/client/api-error.ts";
import { paths } from "../../src/steering/webhook-paths.ts";
import { changePods } from "./change-pods.ts";
import { eventually } from "./eventually.ts";
import { type Picked, servePicker } from "./picker-server.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { type Scene, startScene } from "./scene.ts";
import { prepareSteer, type SteeredCluster, startSteer } from "./steer-program.ts";
import type { TrimtabProgram } from "./trimtab-program.ts";

let cluster: RealCluster;
let steered: SteeredCluster;
let steer: TrimtabProgram;
beforeAll(async () => {
  const controllerManagerFlags = ["--kube-api-qps=500", "--kube-api-burst=1000"];
  cluster = await startRealCluster({ controllers: "all", nodes: 5, controllerManagerFlags });
  steered = await prepareSteer(cluster);
  steer = await startSteer(steered);
});
afterAll(() => cluster.stop());

const ordered = { "trimtab.dev/removal-order": "trimtab" };
const preferred = { "kubernetes.io/prefer-for-scale-down": "" };
const namesOf = (some: readonly Pod[]) => some.map(({ metadata }) => metadata.name);

async function markedIn(scene: Scene): Promise<readonly string[]> {
  return namesOf((await scene.pods()).filter((pod) => isActive(pod) && hasMarkAnnotations(pod)));
}

const withoutMarks = (scene: Scene) =>
  eventually("no mark is left", async () => ((await markedIn(scene)).length === 0 ? true : undefined));

/** A scene of twelve Pods of which some are labelled, so that a scale-down has to mark them. */
async function labelledScene(namespace: string, labelled: number) {
  const scene = await startScene(cluster, namespace, { replicas: 12, annotations: ordered });
  await scene.settled(12);
  const names = namesOf(await scene.pods()).slice(0, labelled);
  await changePods(cluster.client, { namespace, names }, { labels: preferred });
  const [replicaSet] = await scene.replicaSets();
  if (replicaSet === undefined) throw new Error("there is no ReplicaSet");
  return { scene, labelled: names, replicaSet };
}

describe("steer that is killed in a scale-down and started again", () => {
  test.each([1, 3, 5])("leaves no mark: after %i Pods were marked", async (count) => {
    const { scene } = await labelledScene(`killed-${count}`, 5);
    const ending = new AbortController();
    const watched = cluster.client.watch(pods, { namespace: scene.namespace }, ending.signal);
    const killed = (async () => {
      const marked = new Set<string>();
      for await (const event of watched) {
        if (event.type !== "BOOKMARK" && hasMarkAnnotations(event.object))
          marked.add(event.object.metadata.name);
        if (marked.size >= count) return steer.stop("SIGKILL");
      }
    })();
    await scene.change({ replicas: 7 });
    await killed;
    ending.abort(new Error("it was killed"));
    // What was deferred waits for the next copy.
    steer = await startSteer(steered);
    await scene.settled(7);
    await withoutMarks(scene);
  });
});

/** Sends a review of a Scale as anyone in the cluster can; one of a ReplicaSet causes nothing but its answer. */
async function send(oldObject: ReplicaSet, replicas: number): Promise<unknown> {
  const { webhook } = parse(readFileSync(steered.config, "utf8")) as { webhook: { url: string } };
  const { namespace, name } = oldObject.metadata;
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const { body } = await request(`${webhook.url}${paths.sizes}?timeout=10s`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      dispatcher,
      body: JSON.stringify({
        apiVersion: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        request: {
          uid: "forged",
          resource: { group: "apps", version: "v1", resource: "replicasets" },
          subResource: "scale",
          operation: "UPDATE",
          namespace,
          name,
          object: { ...oldObject, spec: { ...oldObject.spec, replicas } },
          oldObject,
        },
      }),
    });
    const { response } = (await body.json()) as { readonly response: unknown };
    return response;
  } finally {
    await dispatcher.close();
  }
}

test("a forged review marks no Pod, and one that is true but was never meant leaves no mark for long", async () => {
  const { scene, replicaSet } = await labelledScene("forged", 4);
  const forgeries = [
    { ...replicaSet, metadata: { ...replicaSet.metadata, uid: "another" } },
    { ...replicaSet, metadata: { ...replicaSet.metadata, resourceVersion: "1" } },
    { ...replicaSet, metadata: { ...replicaSet.metadata, namespace: "kube-system" } },
  ];
  for (const forged of forgeries) expect(await send(forged, 8)).toEqual({ uid: "forged", allowed: true });
  expect(await markedIn(scene)).toEqual([]);
  const latest = await cluster.client.get(replicaSets, replicaSet.metadata);
  expect(await send(latest, 8)).toMatchObject({ uid: "forged", allowed: true });
  expect(await markedIn(scene)).toHaveLength(4);
  await withoutMarks(scene);
  expect(await scene.pods()).toHaveLength(12);
});

test("a dry run marks no Pod", async () => {
  const { scene, replicaSet } = await labelledScene("dry", 4);
  const body = { spec: { replicas: 8 } };
  await cluster.client.patch(replicaSets, replicaSet.metadata, { type: "merge", body, dryRun: true });
  expect(await markedIn(scene)).toEqual([]);
  expect(await scene.pods()).toHaveLength(12);
});

test("an update that is refused because another was first removes no Pod, and its marks go", async () => {
  const { scene, replicaSet } = await labelledScene("conflict", 4);
  const latest = await cluster.client.get(replicaSets, replicaSet.metadata);
  const stale = { ...latest, metadata: { ...latest.metadata, resourceVersion: "1" } };
  const refused = cluster.client.update(replicaSets, { ...stale, spec: { ...stale.spec, replicas: 8 } });
  await expect(refused).rejects.toSatisfy(isConflict);
  await withoutMarks(scene);
  expect(await scene.pods()).toHaveLength(12);
});

describe("a pod picker that", () => {
  test.for<{ readonly name: string; readonly pick: () => Picked | Promise<Picked> }>([
    { name: "hangs", pick: () => new Promise<never>(() => undefined) },
    { name: "lies", pick: () => ({ chosen_pods: ["of-another-workload"] }) },
    { name: "fails", pick: () => Promise.reject(new Error("it has no database")) },
  ])("$name leaves the normal order", async ({ name, pick }) => {
    let asked = 0;
    const annotations = await servePicker(() => {
      asked++;
      return pick();
    });
    const scene = await startScene(cluster, `picker-${name}`, { replicas: 6, annotations });
    await scene.settled(6);
    const [preferredPod] = namesOf(await scene.pods());
    const names = [preferredPod ?? ""];
    await changePods(cluster.client, { namespace: scene.namespace, names }, { labels: preferred });
    // The label decides about one of two Pods; about the other the picker is asked.
    await scene.change({ replicas: 4 });
    await scene.settled(4);
    expect(asked).toBeGreaterThan(0);
    expect(namesOf(await scene.pods())).not.toContain(preferredPod);
    await withoutMarks(scene);
    const at = { namespace: scene.namespace, name: "web" };
    expect((await cluster.client.get(deployments, at)).spec.replicas).toBe(4);
  });
});
