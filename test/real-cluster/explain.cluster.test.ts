import { writeFileSync } from "node:fs";
import path from "node:path";
import { stringify } from "yaml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findCondition } from "../../src/api/conditions.ts";
import { deployments, nodes, pods } from "../../src/api/resources.ts";
import { readClusterObjects } from "../../src/simulation/snapshot/read-cluster-objects.ts";
import { readManifests } from "../../src/cli/read-manifests.ts";
import type { PodPlacementExplanation } from "../../src/decisions/explain/explain-pod-placement.ts";
import type { RolloutExplanation } from "../../src/decisions/explain/explain-rollout.ts";
import type { ScaleDownExplanation } from "../../src/decisions/explain/explain-scale-down.ts";
import { ifFound } from "../../src/machinery/client/api-error.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { oneOf, type Random, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { typed } from "../cli/type-command.ts";
import { podSpec } from "../explain/random-cluster.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { kubeconfigOf } from "./controllers-user.ts";
import { untilObject } from "./eventually.ts";
import { differences, laterExplanations } from "./foretold-removals.ts";
import { foretoldChanges, settled, shapes, stagedDeployment, watchSizes } from "./foretold-rollouts.ts";
import { isComparedVersion, kubernetesVersion } from "./kubernetes-version.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { type PodState, stage, stagedPods, stagedTemplate } from "./staged-pods.ts";
import { type StagedKind, stageWorkload } from "./staged-workload.ts";

let cluster: RealCluster;
let kubeconfig: string;
beforeAll(async () => {
  cluster = await startRealCluster({
    controllers: "all",
    controllerManagerFlags: ["--kube-api-qps=1000", "--kube-api-burst=1000"],
    scheduler: true,
    nodes: 16,
    processes: stagedPods,
  });
  kubeconfig = await makeReader(cluster);
});
afterAll(() => cluster.stop());

const apiVersion = "rbac.authorization.k8s.io/v1";
const apiGroup = "rbac.authorization.k8s.io";

/** A user who may read what people commonly may, and nodes; nothing of Trimtab is in the cluster. */
async function makeReader(of: RealCluster): Promise<string> {
  const user = "reader";
  const nodesRole = {
    apiVersion,
    kind: "ClusterRole",
    metadata: { name: "nodes" },
    rules: [{ apiGroups: [""], resources: ["nodes"], verbs: ["list"] }],
  };
  const bindings = ["view", "nodes"].map((role) => ({
    apiVersion,
    kind: "ClusterRoleBinding",
    metadata: { name: `${user}-${role}` },
    subjects: [{ kind: "User", name: user, apiGroup }],
    roleRef: { apiGroup, kind: "ClusterRole", name: role },
  }));
  const file = path.join(of.folder, "reader.yaml");
  writeFileSync(file, [nodesRole, ...bindings].map((each) => stringify(each)).join("---\n"));
  const manifests = readManifests([file]);
  if (!manifests.ok) throw new Error(manifests.problem);
  for (const { resource, object } of manifests.manifests) await of.client.create(resource, object);
  return kubeconfigOf(user, of);
}

async function explain<T>(...words: readonly string[]): Promise<T> {
  const { code, out, err } = await typed("explain", ...words, "-o", "json", "--kubeconfig", kubeconfig);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as T;
}

const ready = (node: string, readySeconds: number): PodState => ({ node, readySeconds });

/** Of each row two Pods go. */
const scenes: Readonly<Record<string, readonly PodState[]>> = {
  unassigned: [ready("node-1", 200), {}, ready("node-2", 200), {}, ready("node-3", 3)],
  pending: [ready("node-1", 3), { node: "node-1", phase: "Pending" }, ready("node-2", 3), { node: "node-2" }],
  unknown: [{ node: "node-1", phase: "Unknown" }, ready("node-2", 3), ready("node-3", 3), { node: "node-4" }],
  "not-ready": [{ node: "node-1" }, ready("node-2", 3), { node: "node-3" }, ready("node-2", 3)],
  costs: [
    { ...ready("node-1", 1600), cost: "-5" },
    { ...ready("node-1", 3), cost: "2147483647" },
    ready("node-1", 3),
    { ...ready("node-2", 200), cost: "-2147483648" },
  ],
  "cost-below-not-ready": [{ node: "node-1", cost: "100" }, ready("node-2", 3), { node: "node-3" }],
  // Of a ReplicaSet without a Deployment it does not matter how many Pods share a node.
  "not co-located": [
    ready("node-1", 1600),
    ready("node-2", 200),
    ready("node-1", 200),
    ready("node-1", 1600),
  ],
  buckets: [1600, 24, 201, 202, 700].map((age, index) => ready(`node-${index + 1}`, age)),
  restarts: [
    { ...ready("node-1", 200), restarts: 1 },
    ready("node-2", 200),
    { ...ready("node-3", 200), restarts: 3 },
    { ...ready("node-4", 200), restarts: 2 },
  ],
};

const clock = new WallClock();

/** The same in every run; TRIMTAB_SEED draws others. */
const randomFor = (what: string): Random => seededRandom(`${what} ${process.env["TRIMTAB_SEED"] ?? ""}`);

interface ScaleDown {
  readonly kind: StagedKind;
  readonly states: readonly PodState[];
  /** The size after it. */
  readonly replicas: number;
}

/** Explains a scale-down, does it, and says in what the two differ. */
async function foretell(namespace: string, { kind, states, replicas }: ScaleDown) {
  const workload = await stageWorkload(cluster.client, { namespace, kind }, states);
  const before = await readClusterObjects(cluster.client, { namespace, required: [] }, never);
  if (!before.ok) throw new Error(before.problems.join());
  const told = await explain<ScaleDownExplanation>(
    "scale-down",
    `${kind}/${workload.reference.name}`,
    `--namespace=${namespace}`,
    `--replicas=${replicas}`,
  );
  expect(told.decidedBy).toMatchObject({ profile: "kubernetes-1.36", how: "found" });
  const left = await workload.scale(replicas);
  const later = laterExplanations(told, before.objects, clock.now());
  return { told, wrong: differences([told, ...later], left) };
}

const never = new AbortController().signal;

/** The Pods of an explanation that are in one of two verdicts for certain, and those that are in neither. */
function certainties(told: readonly ScaleDownExplanation[]) {
  const all = told.flatMap(({ owners }) => owners.flatMap(({ candidates }) => candidates));
  const open = all.filter(({ verdict }) => verdict === "either").length;
  return { certain: all.length - open, open };
}

describe("The Pods that explain scale-down names are those that kube-controller-manager removes", () => {
  test.for(Object.entries(scenes))("of a ReplicaSet: %s", async ([name, states]) => {
    const { wrong, told } = await foretell(`scene-${name.replaceAll(" ", "-")}`, {
      kind: "ReplicaSet",
      states,
      replicas: states.length - 2,
    });
    expect(wrong).toEqual([]);
    expect(certainties([told]).open).toBe(0);
  });

  test("of Deployments in the middle of a rollout, ReplicaSets and ReplicationControllers, at random", async () => {
    const random = randomFor("scale-downs");
    const rounds = Array.from({ length: 16 }, (_, round) =>
      randomScaleDown(kinds[round % kinds.length] ?? "ReplicaSet", random),
    );
    const told: ScaleDownExplanation[] = [];
    for (const [round, scaleDown] of rounds.entries()) {
      const outcome = await foretell(`random-${round}`, scaleDown);
      expect(outcome.wrong).toEqual([]);
      told.push(outcome.told);
    }
    const { certain, open } = certainties(told);
    expect(certain).toBeGreaterThan(open * 4);
  });
});

const kinds: readonly StagedKind[] = ["Deployment", "ReplicaSet", "Deployment", "ReplicationController"];

/**
 * Where two revisions of a Deployment lose Pods at the same time, it is a matter of chance how many still share a node:
 * either only one of them loses one, or every Pod has a node of its own.
 */
function randomScaleDown(kind: StagedKind, random: Random): ScaleDown {
  const count = 9 + 3 * randomInt(random, 3);
  const isLittle = kind === "Deployment" && random.next() < 0.5;
  const isAlone = kind === "Deployment" && !isLittle;
  const states = Array.from({ length: count }, (_, index) =>
    randomState(`node-${1 + (isAlone ? index : randomInt(random, 4))}`, random),
  );
  return { kind, states, replicas: isLittle ? (count / 3) * 2 - 1 : randomInt(random, 6) };
}

function randomState(node: string, random: Random): PodState {
  const cost = oneOf([undefined, undefined, undefined, "-1", "1", "7"], random);
  const restarts = Math.max(0, randomInt(random, 5) - 2);
  const readySeconds = oneOf([2, 3, 24, 200, 201, 202, 700, 1600], random) ?? 200;
  const sort = oneOf<PodState>(
    [{}, { node }, { node, phase: "Pending" }, { node, phase: "Unknown" }],
    random,
  );
  const state = random.next() < 0.3 ? sort : { node, readySeconds, restarts };
  return { ...state, ...(cost !== undefined && { cost }) };
}

describe("What explain rollout says of the next pass is what kube-controller-manager does", () => {
  const namespace = "rollouts";
  const random = randomFor("rollouts");
  beforeAll(async () => {
    await makeNamespace(cluster.client, namespace);
    for (const name of Object.keys(shapes))
      await cluster.client.create(deployments, stagedDeployment(namespace, name));
    await settled(cluster.client, namespace);
    await becomeReady(namespace, () => true);
  });
  // What is left to do after the last round would change the nodes under the eyes of the suites that follow.
  afterAll(() => settled(cluster.client, namespace));

  test.for([1, 2, 3, 4, 5])("at random, round %i", async () => {
    const { client } = cluster;
    await settled(client, namespace);
    const watch = await watchSizes(client, namespace);
    const told = await changeAndExplain(namespace, random);
    await settled(client, namespace);
    const seen = await watch.stop();
    for (const [name, { next, decidedBy }] of told) {
      expect(decidedBy).toMatchObject({ profile: "kubernetes-1.36", how: "found" });
      const own = seen.filter(({ deployment }) => deployment === name);
      // What later passes do is another matter, but after one that does nothing there are none.
      const first = next.length === 0 ? own : own.slice(0, next.length);
      expect(new Set(first)).toEqual(new Set(foretoldChanges(name, next)));
    }
    await becomeReady(namespace, () => random.next() < 0.5);
  });
});

/** Changes every Deployment while kube-controller-manager stands still, and explains what it will do first. */
async function changeAndExplain(namespace: string, random: Random) {
  const told = new Map<string, RolloutExplanation>();
  const thaw = cluster.freezeControllers();
  try {
    for (const name of Object.keys(shapes)) {
      const body = { spec: randomChange(name, random) as never };
      await cluster.client.patch(deployments, { namespace, name }, { type: "merge", body });
      told.set(name, await explain("rollout", `deploy/${name}`, `--namespace=${namespace}`));
    }
  } finally {
    thaw();
  }
  return told;
}

function randomChange(name: string, random: Random): object {
  const replicas = 2 + randomInt(random, 8);
  const template = stagedTemplate({ app: name }, `web:${1 + randomInt(random, 3)}`);
  const changes = [{}, { replicas }, { template }, { replicas, template }, { paused: random.next() < 0.3 }];
  return oneOf(changes, random) ?? {};
}

/** Gives Pods that have none a node, on which they are ready at once; the controllers go on then. */
async function becomeReady(namespace: string, which: () => boolean): Promise<void> {
  const { items } = await cluster.client.list(pods, { namespace });
  for (const pod of items.filter(({ spec }) => spec.nodeName === undefined && which()))
    await ifFound(stage(cluster.client, pod, ready("node-1", 5)));
}

describe("kube-scheduler", () => {
  test("takes one of the nodes that explain placement names, or none", async ({ skip }) => {
    if (!isComparedVersion)
      skip(`skipped: Kubernetes ${kubernetesVersion} does not choose nodes as 1.36 does`);
    const { client, folder } = cluster;
    const random = randomFor("placements");
    const namespace = "placed";
    await makeNamespace(client, namespace);
    const change = (name: string, body: object) =>
      client.patch(nodes, { name }, { type: "merge", body: body as never });
    await change("node-1", { spec: { taints: [{ key: "only", value: "gpu", effect: "NoSchedule" }] } });
    await change("node-3", { spec: { unschedulable: true } });
    await change("node-2", { metadata: { labels: { disk: "ssd" } } });
    // Once it has placed a Pod by the last of these changes, kube-scheduler has seen the others, too.
    const probe = { namespace, name: "probe" };
    const onSsd = { nodeSelector: { disk: "ssd" }, containers: [{ name: "web", image: "web:1" }] };
    await client.create(pods, { metadata: probe, spec: onSsd });
    await untilObject(client, pods, probe, ({ spec }) => spec.nodeName === "node-2");
    const file = path.join(folder, "pod.yaml");
    let placed = 0;
    for (let round = 0; round < 20; round++) {
      const spec = round === 7 ? { ...podSpec(random), nodeSelector: { disk: "none" } } : podSpec(random);
      const pod = { metadata: { namespace, name: `pod-${round}`, labels: { app: "web" } }, spec };
      writeFileSync(file, stringify({ apiVersion: "v1", kind: "Pod", ...pod }));
      const told = await explain<PodPlacementExplanation>("placement", "-f", file, "-n", namespace);
      await client.create(pods, pod);
      const { spec: stored } = await untilObject(
        client,
        pods,
        pod.metadata,
        ({ status }) => findCondition(status?.conditions, "PodScheduled") !== undefined,
      );
      expect(told.choices.length === 0 ? [""] : told.choices).toContain(stored.nodeName ?? "");
      placed += told.choices.length > 0 ? 1 : 0;
    }
    expect(placed).toBe(19);
  });
});
