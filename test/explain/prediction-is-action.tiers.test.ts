import { afterEach, describe, expect, test } from "vitest";
import type { Deployment } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isActive } from "../../src/api/pod-state.ts";
import { deployments, pods, replicaSets, replicationControllers } from "../../src/api/resources.ts";
import { defaultScheduler } from "../../src/decisions/explain/assumed-scheduler.ts";
import type { ClusterObjects } from "../../src/decisions/explain/cluster-objects.ts";
import { explainPodPlacement } from "../../src/decisions/explain/explain-pod-placement.ts";
import { explainRollout } from "../../src/decisions/explain/explain-rollout.ts";
import { explainScaleDown, type OwnerRemoval } from "../../src/decisions/explain/explain-scale-down.ts";
import { admittedPod, findPodToPlace } from "../../src/decisions/explain/hypothetical-pod.ts";
import type { ExplainedObject } from "../../src/decisions/explain/object-reference.ts";
import type { RemovalRecord } from "../../src/decisions/explain/removal-record.ts";
import type { Limit } from "../../src/decisions/rollout/limit.ts";
import { oneOf, type Random, randomInt } from "../../src/machinery/random/random.ts";
import { perTier } from "../tier.ts";
import { disturb, namespace, podSpec, type RandomCluster, startRandomCluster } from "./random-cluster.ts";

/** So many predictions of each of the four kinds, so many in one cluster. */
const predictions = perTier({ unit: 10, full: 300 });
const perCluster = perTier({ unit: 10, full: 25 });
const timeout = perTier({ unit: 30_000, full: 900_000 });

let running: RandomCluster | undefined;
afterEach(async () => {
  await running?.cluster.stop();
  running = undefined;
});

/** Runs a trial so often, each on a cluster that something was done to. */
async function repeat(kind: string, trial: (scene: RandomCluster) => Promise<void>): Promise<void> {
  for (let made = 0; made < predictions; made++) {
    if (made % perCluster === 0) {
      await running?.cluster.stop();
      running = await startRandomCluster(`${kind} ${made}`);
    }
    if (running === undefined) return;
    await disturb(running);
    await trial(running);
  }
}

const reference = (kind: ExplainedObject["kind"], name: string): ExplainedObject => ({
  kind,
  namespace,
  name,
});

const workloads: readonly ExplainedObject[] = [
  reference("Deployment", "web"),
  reference("Deployment", "api"),
  reference("ReplicaSet", "lone"),
  reference("ReplicationController", "old"),
];

async function change(
  { cluster }: RandomCluster,
  { kind, name }: ExplainedObject,
  spec: object,
): Promise<void> {
  const patch = { type: "merge", body: { spec } as never } as const;
  const at = { namespace, name };
  if (kind === "Deployment") await cluster.client.patch(deployments, at, patch);
  else if (kind === "ReplicaSet") await cluster.client.patch(replicaSets, at, patch);
  else await cluster.client.patch(replicationControllers, at, patch);
}

describe("Prediction is action", () => {
  test(
    "the Pods that explain says a scale-down removes are those that go, in that order",
    { timeout },
    async () => {
      let removed = 0;
      await repeat("scale-down", async (scene) => {
        const { cluster, random, settle, view } = scene;
        const workload = oneOf(workloads, random) ?? reference("Deployment", "web");
        // A paused rollout is only scaled, in proportion; one that goes on would change the sizes again at once.
        const isPaused = workload.kind === "Deployment";
        if (isPaused) await pauseMidRollout(scene, workload);
        const before = await view();
        const known = new Set(cluster.decisions.removals.find());
        const replicas = randomInt(random, 6);
        const told = explainScaleDown(before, { workload, replicas, now: cluster.clock.now() });
        await change(scene, workload, { replicas });
        await settle();

        // The oldest first: later decisions answer to what the first one led to.
        const records = cluster.decisions.removals
          .find()
          .filter((record) => !known.has(record))
          .toReversed();
        for (const owner of told?.owners ?? []) {
          expect(firstRemoval(records, owner)).toEqual(inComparableOrder(owner, goingOf(owner.candidates)));
          removed += owner.removing;
        }
        const stillActive = new Set(
          (await view()).pods.filter(isActive).map(({ metadata }) => metadata.name),
        );
        const gone = (told?.owners ?? []).flatMap(({ candidates }) => goingOf(candidates));
        expect(gone.filter((name) => stillActive.has(name))).toEqual([]);
        if (isPaused) await change(scene, workload, { paused: false, replicas: 3 + randomInt(random, 8) });
      });
      expect(removed).toBeGreaterThan(predictions / 2);
    },
  );

  test("a Pod lands on one of the nodes that explain names, or on none", { timeout }, async () => {
    let placed = 0;
    await repeat("placement", async (scene) => {
      const { cluster, random, settle, view } = scene;
      const objects = await view();
      const draft = {
        metadata: { name: `probe-${cluster.clock.now()}-${randomInt(random, 1e9)}`, namespace },
        spec: podSpec(random),
      };
      const pod = admittedPod(draft, objects);
      const told = explainPodPlacement(objects, questionOf(pod, cluster.clock.now()));
      await cluster.client.create(pods, draft);
      await settle();
      expect(told.choices.length === 0 ? [""] : told.choices).toContain(
        await nodeOf(scene, draft.metadata.name),
      );
      placed += told.choices.length > 0 ? 1 : 0;
      await cluster.client.delete(pods, draft.metadata, { gracePeriodSeconds: 0 });
    });
    expect(placed).toBeGreaterThan(predictions / 4);
  });

  test("the next Pod of a workload lands on one of the nodes that explain names", { timeout }, async () => {
    await repeat("next Pod", async (scene) => {
      const { cluster, settle, view } = scene;
      const workload = reference("ReplicaSet", "lone");
      const objects = await view();
      const now = cluster.clock.now();
      const next = findPodToPlace(objects, workload, now);
      const lone = objects.replicaSets.find(({ metadata }) => metadata.name === "lone");
      // A Pod that has none yet would be placed at the same time, and take the place of the next.
      if (next.kind !== "found" || objects.pods.some(({ spec }) => spec.nodeName === undefined)) return;
      const told = explainPodPlacement(objects, questionOf(next.pod, now));
      const known = new Set(objects.pods.map(({ metadata }) => metadata.name));
      await change(scene, workload, { replicas: (lone?.spec.replicas ?? 0) + 1 });
      await settle();
      const made = (await view()).pods.find(({ metadata }) => !known.has(metadata.name));
      expect(told.choices.length === 0 ? [""] : told.choices).toContain(made?.spec.nodeName ?? "");
      await change(scene, workload, { replicas: 5 });
    });
  });

  test(
    "the next pass of a rollout does what explain says, and at rest explain says that nothing is done",
    { timeout },
    async () => {
      await repeat("rollout", async (scene) => {
        const { cluster, random, settle, view } = scene;
        const workload = reference("Deployment", oneOf(["web", "api"], random) ?? "web");
        const now = cluster.clock.now();
        const objects = await view();
        expect(explainRollout(objects, { workload, now })?.next).toEqual([]);

        const spec = randomChange(random);
        const told = explainRollout(withSpec(objects, workload, spec), { workload, now });
        const known = new Set(cluster.decisions.rollouts.find());
        await change(scene, workload, spec);
        await settle();
        const [first] = cluster.decisions.rollouts
          .find({ namespace, name: workload.name })
          .filter((record) => !known.has(record))
          .toReversed();
        // A pass that changes nothing, limited as the one before, is not recorded again.
        if (first === undefined) return expect(told?.next).toEqual([]);
        expect({ pass: told?.pass, sizes: sizesOf(told?.revisions ?? []) }).toEqual({
          pass: first.pass,
          sizes: sizesOf(first.revisions),
        });
      });
    },
  );
});

interface Candidate {
  readonly pod: string;
  readonly verdict: string;
}

const goingOf = (candidates: readonly Candidate[]): readonly string[] =>
  candidates.filter(({ verdict }) => verdict === "goes").map(({ pod }) => pod);

/** The Pods that the first decision about an owner removes. */
function firstRemoval(records: readonly RemovalRecord[], owner: OwnerRemoval): readonly string[] {
  const { kind, name } = owner;
  const first = records.find(({ workload }) => workload.kind === kind && workload.name === name);
  return inComparableOrder(owner, goingOf(first?.candidates ?? []));
}

/** Where all Pods of an owner go there is no order. */
function inComparableOrder(
  { removing, pods: all }: OwnerRemoval,
  names: readonly string[],
): readonly string[] {
  return removing === all ? names.toSorted() : names;
}

/** Starts a rollout and pauses it somewhere on its way, or pauses the Deployment as it is. */
async function pauseMidRollout(scene: RandomCluster, workload: ExplainedObject): Promise<void> {
  const { cluster, random, settle } = scene;
  if (random.next() < 0.5) {
    await change(scene, workload, {
      template: { spec: { terminationGracePeriodSeconds: randomInt(random, 1000) } },
    });
    await cluster.clock.advance(randomInt(random, 20_000));
  }
  await change(scene, workload, { paused: true });
  await settle();
}

function questionOf(pod: Pod, now: number) {
  const scheduler = defaultScheduler();
  return { pod, isHypothetical: true, scheduler, configuration: "the default configuration", now };
}

async function nodeOf({ cluster }: RandomCluster, name: string): Promise<string> {
  return (await cluster.client.get(pods, { namespace, name })).spec.nodeName ?? "";
}

function randomChange(random: Random): object {
  const changes: readonly object[] = [
    { replicas: randomInt(random, 12) },
    { template: { spec: { terminationGracePeriodSeconds: randomInt(random, 1000) } } },
    { paused: random.next() < 0.3 },
    {
      replicas: 1 + randomInt(random, 10),
      template: { spec: { terminationGracePeriodSeconds: randomInt(random, 1000) } },
    },
  ];
  return oneOf(changes, random) ?? {};
}

interface TemplateChange {
  readonly template?: { readonly spec: object };
}

/** The objects with another spec of one Deployment, as the API server will have it. */
function withSpec(objects: ClusterObjects, { name }: ExplainedObject, spec: TemplateChange): ClusterObjects {
  const changed = (each: Deployment): Deployment => {
    if (each.metadata.name !== name) return each;
    const template = { ...each.spec.template, spec: { ...each.spec.template.spec, ...spec.template?.spec } };
    const generation = (each.metadata.generation ?? 0) + 1;
    return {
      ...each,
      metadata: { ...each.metadata, generation },
      spec: { ...each.spec, ...spec, template },
    } as Deployment;
  };
  return { ...objects, deployments: objects.deployments.map(changed) };
}

interface SizedRevision {
  readonly role: string;
  readonly replicaSet?: string;
  readonly size: number;
  readonly limit: Limit;
}

/** The sizes and limits of the revisions that have Pods. */
function sizesOf(revisions: readonly SizedRevision[]): readonly object[] {
  return revisions
    .filter(({ role, size }) => role === "new" || size > 0)
    .map(({ role, replicaSet, size, limit }) => ({ role, replicaSet, size, limit: inOrder(limit) }));
}

/** The ReplicaSets of a limit are named in the order in which they were read, which means nothing. */
function inOrder(limit: Limit): Limit {
  return "replicaSets" in limit ? { ...limit, replicaSets: limit.replicaSets.toSorted() } : limit;
}
