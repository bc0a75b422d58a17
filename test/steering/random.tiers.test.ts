import { describe, expect, test } from "vitest";
import type { Deployment, ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { deletionCostAnnotation } from "../../src/api/deletion-cost.ts";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import { isTerminal } from "../../src/api/pod-state.ts";
import { deployments, pods, replicaSets } from "../../src/api/resources.ts";
import { budgetOf } from "../../src/decisions/rollout/budget.ts";
import { type Random, oneOf, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { template, web, type WebTraits } from "../deployment/builders.ts";
import { perTier } from "../tier.ts";
import { costsWereSet, sparedBecameReady } from "./became-ready.ts";
import {
  activePods,
  at,
  deploy,
  eventsOf,
  markedPods,
  replicaSetsOf,
  scale,
  setCost,
  startSteering,
  type VirtualSteering,
} from "./virtual.ts";

const wishes = {
  "trimtab.dev/removal-order": "trimtab",
  "trimtab.dev/pod-replacement-policy": "TerminationComplete",
};
const shapes: readonly WebTraits[] = [
  { maxSurge: 2, maxUnavailable: 2 },
  { maxSurge: 0, maxUnavailable: 1 },
  { maxSurge: "25%", maxUnavailable: "25%" },
  { maxSurge: 1, maxUnavailable: 0, spec: { revisionHistoryLimit: 0 } },
  { strategy: "Recreate" },
];

/** Sizes that were admitted are created a little later; until then the earlier limit holds. */
const graceMs = 30_000;

/** Every Pod that was created although the Deployment had as many as it may have, terminating ones counted. */
function watchBudget({ store, clock }: VirtualSteering): readonly string[] {
  const exceeded: string[] = [];
  const alive = new Set<string>();
  const limits: { readonly until: number; readonly limit: number }[] = [];
  let limit = 0;
  store.collection("deployments.apps").subscribe({ of: "all" }, (changes) => {
    for (const { record } of changes) {
      limits.push({ until: clock.now() + graceMs, limit });
      limit = budgetOf(record.object as unknown as Deployment, defaultFeatureGates).maxReplicas;
    }
  });
  store.collection("pods").subscribe({ of: "all" }, (changes) => {
    for (const { type, record } of changes) {
      const pod = record.object as unknown as Pod;
      if (type === "DELETED" || isTerminal(pod)) alive.delete(pod.metadata.uid);
      else alive.add(pod.metadata.uid);
      const most = Math.max(
        limit,
        ...limits.filter(({ until }) => until > clock.now()).map((each) => each.limit),
      );
      if (type === "ADDED" && alive.size > most) exceeded.push(`${alive.size} of ${most}`);
    }
  });
  return exceeded;
}

const hasBecomeReady = (message: string, { copies }: VirtualSteering): boolean =>
  sparedBecameReady(
    message,
    copies.flatMap(({ removals }) => removals.find()),
  );

/** Every Pod whose cost was written by others than steer. */
function watchCosts({ store }: VirtualSteering): ReadonlySet<string> {
  const priced = new Set<string>();
  store.collection("pods").subscribe({ of: "all" }, (changes) => {
    for (const { record } of changes) {
      const { metadata } = record.object as unknown as Pod;
      if (userCosts.includes(metadata.annotations?.[deletionCostAnnotation] ?? "")) priced.add(metadata.name);
    }
  });
  return priced;
}

type Step = (steered: VirtualSteering, random: Random) => Promise<unknown>;

async function somePod(steered: VirtualSteering, random: Random): Promise<string | undefined> {
  return oneOf(await activePods(steered), random)?.metadata.name;
}

const change = ({ client }: VirtualSteering, spec: object) =>
  client.patch(deployments, at("web"), { type: "merge", body: { spec } as never });

/** The costs that users set. */
const userCosts: readonly string[] = ["5", "-5", "2147483647", "-2147483648"];

/** What users do, by name. */
const steps: Readonly<Record<string, Step>> = {
  scale: (steered, random) => scale(steered, randomInt(random, 12)),
  flap: async (steered, random) => {
    for (let time = 0; time < 3; time++) await scale(steered, randomInt(random, 12));
  },
  roll: (steered, random) =>
    change(steered, {
      template: template({ image: `web:${randomInt(random, 4)}`, endsIn: `${randomInt(random, 30)}s` }),
    }),
  pause: (steered) => change(steered, { paused: true }),
  resume: (steered) => change(steered, { paused: false }),
  // As kubectl does it: the template and the annotations of an old ReplicaSet.
  undo: async (steered, random) => {
    const old: ReplicaSet | undefined = oneOf(await replicaSetsOf(steered), random);
    const { template: before } = old?.spec ?? {};
    if (old === undefined || before === undefined) return;
    const labels = { ...before.metadata?.labels, "pod-template-hash": undefined };
    const annotations = Object.fromEntries(
      Object.entries(old.metadata.annotations ?? {}).filter(
        ([name]) => !name.startsWith("deployment.kubernetes.io"),
      ),
    );
    const undone = JSON.parse(
      JSON.stringify({ ...before, metadata: { ...before.metadata, labels } }),
    ) as never;
    await steered.client.patch(deployments, at("web"), {
      type: "json",
      operations: [
        { op: "replace", path: "/spec/template", value: undone },
        { op: "replace", path: "/metadata/annotations", value: annotations },
      ],
    });
  },
  "scale a ReplicaSet": async (steered, random) => {
    const some = oneOf(await replicaSetsOf(steered), random)?.metadata.name;
    const body = { spec: { replicas: randomInt(random, 12) } };
    if (some !== undefined) await steered.client.patch(replicaSets, at(some), { type: "merge", body });
  },
  "set a cost": async (steered, random) => {
    const some = await somePod(steered, random);
    if (some !== undefined) await setCost(steered, some, oneOf(userCosts, random) ?? "");
  },
  label: async (steered, random) => {
    const some = await somePod(steered, random);
    const body = { metadata: { labels: { "kubernetes.io/prefer-for-scale-down": "" } } };
    if (some !== undefined) await steered.client.patch(pods, at(some), { type: "merge", body });
  },
};

describe("whatever users do", () => {
  const runs = perTier({ unit: 2, full: 40 });
  test.for(Array.from({ length: runs }, (_, index) => index))(
    "every victim is as decided, no budget is exceeded, and all comes to an end: run %i",
    { timeout: 120_000 },
    async (run) => {
      const random = seededRandom(`random ${run}`);
      const gates = run % 3 === 1 ? { DeploymentReplicaSetTerminatingReplicas: false } : {};
      const steered = await startSteering({ seed: `random ${run}`, gates, copies: 1 + (run % 2) });
      const shape = shapes[run % shapes.length] ?? {};
      const exceeded = watchBudget(steered);
      const priced = watchCosts(steered);
      await deploy(steered, web({ replicas: 8, ...shape, annotations: wishes, endsIn: "10s" }));
      const done: string[] = [];
      for (let step = 0; step < 25; step++) {
        const [name, act] = oneOf(Object.entries(steps), random) ?? ["", () => Promise.resolve()];
        done.push(name);
        await act(steered, random);
        await steered.clock.advance(
          randomInt(random, 4) === 0 ? randomInt(random, 60_000) : randomInt(random, 3000),
        );
      }
      await change(steered, { paused: false, replicas: 5 });
      await steered.clock.advance(900_000);
      expect({ exceeded, done }).toEqual({ exceeded: [], done });
      expect(await activePods(steered)).toHaveLength(5);
      expect(await markedPods(steered)).toEqual([]);
      const { status } = await steered.client.get(deployments, at("web"));
      expect(status).toMatchObject({ updatedReplicas: 5, availableReplicas: 5 });
      const differing = (await eventsOf(steered, "ScaleDownDiffers")).filter(
        (message) => !hasBecomeReady(message, steered) && !costsWereSet(message, priced),
      );
      expect({ differing, done }).toEqual({ differing: [], done });
    },
  );
});
