import { expect, test } from "vitest";
import { deletionCostAnnotation } from "../../src/api/deletion-cost.ts";
import type { FeatureGates } from "../../src/api/feature-gates.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { pods, configMaps } from "../../src/api/resources.ts";
import { preferredLabel } from "../../src/decisions/downscale/rules.ts";
import { apiFailure } from "../../src/machinery/client/api-error.ts";
import {
  activePods,
  allPods,
  asked,
  at,
  create,
  createLoosePod,
  createRunning,
  namesOf,
  patchPod,
  readySince,
  report,
  scale,
  statusOf,
} from "./workload.ts";
import type { StartReplicaSetFixture, ReplicaSetFixture } from "./fixture.ts";

const hour = 3_600_000;

/** When a ReplicaSet shrinks the right Pods go, and everyone can read why. */
export function describeShrinking(start: StartReplicaSetFixture): void {
  test("a higher-level controller labels the Pods it prefers, scales down, and exactly those go", async () => {
    const fixture = await start();
    await createRunning(fixture, "web", { replicas: 6 });
    const names = namesOf(await activePods(fixture));
    const idle = [names[1] ?? "", names[4] ?? ""];
    for (const name of idle) await label(fixture, name);
    await scale(fixture, "web", 4);
    expect(namesOf(await activePods(fixture))).toEqual(names.filter((name) => !idle.includes(name)));
    for (const name of idle) {
      expect(messages(fixture, "SuccessfulDelete")).toContainEqual(
        expect.stringMatching(
          `^Deleted pod: ${name} \\(preferred: labelled ${preferredLabel}, web-\\S+ is not\\)$`,
        ),
      );
    }
  });

  test("a user who removes many Pods at once is told by which rules they go, however many events there were", async () => {
    const fixture = await start();
    await createRunning(fixture, "web", { replicas: 90 });
    await scale(fixture, "web", 60);
    await scale(fixture, "web", 0);
    const [first = "", second = "", ...others] = messages(fixture, "DeletingPods");
    expect(first).toMatch(
      /^Deleting 30 of 90 pods \(([a-z-]+ \d+(, )?)+\): (web-\S+, ){4}web-\S+ and 25 more$/,
    );
    expect(second).toMatch(/^Deleting all 60 pods: (web-\S+, ){4}web-\S+ and 55 more$/);
    expect(others).toEqual([]);
    const counts = Array.from(first.matchAll(/[a-z] (\d+)[,)]/g), ([, count]) => Number(count));
    expect(counts.reduce((sum, count) => sum + count)).toBe(30);
  });

  test.for<{
    name: string;
    costs: readonly (string | undefined)[];
    gates?: Partial<FeatureGates>;
    survivor: number;
  }>([
    { name: "the Pod of lower cost goes, though it restarted less", costs: ["1", "2"], survivor: 1 },
    { name: "a negative cost is lower than none", costs: ["-1", undefined], survivor: 1 },
    { name: "of equal costs the Pod that restarted more goes", costs: ["5", "5"], survivor: 0 },
    { name: "without costs the Pod that restarted more goes", costs: [], survivor: 0 },
    {
      name: "with PodDeletionCost off costs mean nothing",
      costs: ["1", "2"],
      gates: { PodDeletionCost: false },
      survivor: 0,
    },
    {
      name: "a cost that is no number is 0, where the API lets it in",
      costs: ["cheap", "1"],
      gates: { PodDeletionCost: false },
      survivor: 1,
    },
  ])("pod-deletion cost: $name", async ({ costs, gates, survivor }) => {
    const fixture = await start(gates === undefined ? {} : { gates });
    const [steady, shaky] = await pair(fixture);
    for (const [index, cost] of costs.entries()) {
      const name = [steady, shaky][index] ?? "";
      if (cost !== undefined)
        await patchPod(fixture, name, { metadata: { annotations: { [deletionCostAnnotation]: cost } } });
    }
    if (costs[0] === "cheap") fixture.switchGates({ PodDeletionCost: true });
    await scale(fixture, "web", 1);
    expect(namesOf(await activePods(fixture))).toEqual([[steady, shaky][survivor]]);
  });

  test("the API refuses a cost that is no 32-bit number, but lets one alone that is there", async () => {
    const fixture = await start();
    const [first] = await pair(fixture);
    const cost = (value: string) =>
      patchPod(fixture, first, { metadata: { annotations: { [deletionCostAnnotation]: value } } });
    await expect(cost("cheap")).rejects.toMatchObject({ code: 422 });
    fixture.switchGates({ PodDeletionCost: false });
    await cost("cheap");
    fixture.switchGates({ PodDeletionCost: true });
    await cost("cheaper");
  });

  test("with PreferForScaleDownLabel off the label means nothing, and it can be switched at any time", async () => {
    const fixture = await start({ gates: { PreferForScaleDownLabel: false } });
    const [steady, shaky] = await pair(fixture);
    await label(fixture, steady);
    await scale(fixture, "web", 1);
    expect(namesOf(await activePods(fixture))).toEqual([steady]);

    await scale(fixture, "web", 2);
    await fixture.clock.advance(2000);
    const replacement = namesOf(await activePods(fixture)).find((name) => name !== steady) ?? "";
    expect(replacement).not.toBe(shaky);
    await report(fixture, replacement, readySince(fixture.clock.now(), 5));
    fixture.switchGates({ PreferForScaleDownLabel: true });
    await scale(fixture, "web", 1);
    expect(namesOf(await activePods(fixture))).toEqual([replacement]);
  });

  test.for([
    {
      name: "on, Pods Ready for 5 and 8 hours are equally old, and restarts decide",
      on: true,
      goes: 1,
      rule: "restarts",
    },
    { name: "off, the Pod Ready for 5 hours is the younger one", on: false, goes: 0, rule: "ready-time" },
  ])("with LogarithmicScaleDown $name", async ({ on, goes, rule }) => {
    const fixture = await start({ nodes: 0, gates: { LogarithmicScaleDown: on } });
    await create(fixture, "web", { replicas: 2 });
    const names = namesOf(await activePods(fixture));
    await report(fixture, names[0] ?? "", readySince(fixture.clock.now() - 5 * hour));
    await report(fixture, names[1] ?? "", readySince(fixture.clock.now() - 8 * hour, 1));
    await scale(fixture, "web", 1);
    expect(messages(fixture, "SuccessfulDelete")).toEqual([
      expect.stringMatching(`^Deleted pod: ${names[goes]} \\(${rule}: `),
    ]);
  });

  test("Pods that share their node go before one that is alone, and the events say so", async () => {
    const fixture = await start({ nodes: 2 });
    await createRunning(fixture, "web", { replicas: 3 });
    const running = await activePods(fixture);
    const alone = running.find(
      (pod) => running.filter((other) => nodeOf(other) === nodeOf(pod)).length === 1,
    );
    const together = running.filter((pod) => pod !== alone);
    const reason = `co-located: 2 Pods of this workload on ${nodeOf(together[0])}, ${alone?.metadata.name} has 1`;
    await scale(fixture, "web", 1);
    expect(messages(fixture, "SuccessfulDelete").toSorted()).toEqual(
      namesOf(together).map((name) => `Deleted pod: ${name} (${reason})`),
    );
  });

  test("Pods of other ReplicaSets of the same controller count as company, those of strangers do not", async () => {
    const fixture = await start({ nodes: 2 });
    const app = await fixture.client.create(configMaps, { metadata: at("app") });
    const owned = (name: string, uid = app.metadata.uid) => ({
      ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name, uid, controller: true }],
    });
    // Two each, so that the binder spreads them evenly: one of ours and one of the other's on either node.
    await createRunning(fixture, "web", { replicas: 2, ...owned("app") });
    await createRunning(fixture, "old", { replicas: 1, labels: { app: "old" }, ...owned("app") });
    await createRunning(fixture, "stranger", { replicas: 1, labels: { app: "stranger" } });
    const running = await activePods(fixture);
    const old = running.find(({ metadata }) => metadata.labels?.["app"] === "old");
    await scale(fixture, "web", 1);
    expect(messages(fixture, "SuccessfulDelete")).toEqual([
      expect.stringMatching(`co-located: 2 Pods of this workload on ${nodeOf(old)}, web-\\S+ has 1`),
    ]);
  });

  test("when all Pods go none is compared with another", async () => {
    const fixture = await start();
    await createRunning(fixture, "web", { replicas: 2 });
    const names = namesOf(await activePods(fixture));
    await scale(fixture, "web", 0);
    expect(messages(fixture, "SuccessfulDelete").toSorted()).toEqual(
      names.map((name) => `Deleted pod: ${name} (all Pods go)`),
    );
    expect(fixture.removals.find({ namespace: "default", name: "web" })).toEqual([
      expect.objectContaining({ removing: 2, of: 2, rules: [] }),
    ]);
    expect(fixture.metrics.value("trimtab_removals_total", { rule: "all" })).toBe(2);
    expect(fixture.metrics.observations("replicaset_controller_sorting_deletion_age_ratio")).toEqual([]);
  });

  test("every decision is put on record: candidates, keys, verdicts, rule and values, time and gates", async () => {
    const fixture = await start({ nodes: 1, gates: { LogarithmicScaleDown: false } });
    const [steady, shaky] = await pair(fixture);
    await scale(fixture, "web", 1);
    const [record] = fixture.removals.find({ namespace: "default", name: "web" });
    expect(record).toMatchObject({
      workload: { kind: "ReplicaSet", namespace: "default", name: "web" },
      removing: 1,
      of: 2,
      gates: { LogarithmicScaleDown: false, PodDeletionCost: true },
      candidates: [
        {
          pod: shaky,
          node: "node-1",
          verdict: "goes",
          because: { rule: "restarts", value: 3, against: { pod: steady, value: 0 } },
          reason: `restarts: 3 restarts, ${steady} has 0`,
        },
        {
          pod: steady,
          verdict: "stays",
          because: { rule: "restarts", value: 0, against: { pod: shaky, value: 3 } },
        },
      ],
    });
    const place =
      record?.rules.findIndex(({ name, unit }) => name === "restarts" && unit === "containers") ?? -1;
    expect(record?.candidates.map(({ keys }) => keys[place])).toEqual([3, 0]);
    expect(JSON.parse(JSON.stringify(record))).toEqual(record);
    expect(fixture.metrics.value("trimtab_removals_total", { rule: "restarts" })).toBe(1);
  });

  test("how old the Pods are that go is measured against the youngest Ready one", async () => {
    const fixture = await start({ nodes: 1 });
    await createRunning(fixture, "web", { replicas: 1 });
    const [elder = ""] = namesOf(await activePods(fixture));
    await fixture.clock.advance(4000);
    await scale(fixture, "web", 2);
    await fixture.clock.advance(4000);
    await patchPod(fixture, elder, { metadata: { annotations: { [deletionCostAnnotation]: "-1" } } });
    await scale(fixture, "web", 1);
    expect(fixture.metrics.observations("replicaset_controller_sorting_deletion_age_ratio")).toEqual([2.5]);
  });

  test("deletions that fail are reported, and all others are made", async () => {
    const fixture = await start();
    await createRunning(fixture, "web", { replicas: 3 });
    const [, second] = namesOf(await activePods(fixture));
    const lift = fixture.controller.failRequests(({ verb, name }) =>
      verb === "delete" && name === second ? apiFailure(403, "Forbidden", "not this one") : undefined,
    );
    await scale(fixture, "web", 0);
    expect(namesOf(await activePods(fixture))).toEqual([second]);
    expect(messages(fixture, "FailedDelete")).toContain("Error deleting: not this one");
    expect((await statusOf(fixture, "web"))?.conditions).toEqual([
      expect.objectContaining({ reason: "FailedDelete", message: "unable to delete pods: not this one" }),
    ]);
    lift();
    await fixture.clock.advance(10_000);
    expect(await activePods(fixture)).toEqual([]);
    expect((await statusOf(fixture, "web"))?.conditions).toBeUndefined();
  });

  test("a Pod that is gone already is no failure", async () => {
    const fixture = await start({ nodes: 0 });
    await create(fixture, "web", { replicas: 2 });
    fixture.controller.holdWatches(pods);
    const [first = ""] = namesOf(await activePods(fixture));
    await fixture.client.delete(pods, at(first));
    await scale(fixture, "web", 0);
    expect(asked(fixture, "delete pods")).toBe(2);
    fixture.controller.releaseWatches();
    await fixture.clock.settle();
    expect(await activePods(fixture)).toEqual([]);
    expect(messages(fixture, "FailedDelete")).toEqual([]);
    expect(messages(fixture, "SuccessfulDelete")).toHaveLength(1);
  });

  test("a Pod that is gone already and has a namesake is no failure, and the namesake stays", async () => {
    const fixture = await start({ nodes: 0 });
    await createLoosePod(fixture, "a");
    await createLoosePod(fixture, "b");
    await create(fixture, "web", { replicas: 2 });
    fixture.controller.holdWatches(pods);
    await fixture.client.delete(pods, at("a"));
    const { metadata } = await createLoosePod(fixture, "a", { labels: { app: "other" } });
    await scale(fixture, "web", 0);
    expect(asked(fixture, "delete pods")).toBe(2);
    fixture.controller.releaseWatches();
    await fixture.clock.advance(1000);
    expect((await allPods(fixture)).map(({ metadata: { uid } }) => uid)).toEqual([metadata.uid]);
    expect(messages(fixture, "FailedDelete")).toEqual([]);
    expect(fixture.log.entries.filter(({ level }) => level === "warn")).toEqual([]);
  });

  test("Pods that are ending are neither counted nor chosen", async () => {
    const fixture = await start();
    await createRunning(fixture, "web", {
      replicas: 3,
      templateAnnotations: { "sim.trimtab.dev/stuckTerminating": "true" },
    });
    await scale(fixture, "web", 2);
    await scale(fixture, "web", 1);
    expect(await activePods(fixture)).toHaveLength(1);
    expect(asked(fixture, "delete pods")).toBe(2);
  });
}

/** Two running Pods on one node, alike but that the second has restarted. */
async function pair(fixture: ReplicaSetFixture): Promise<readonly [steady: string, shaky: string]> {
  await createRunning(fixture, "web", { replicas: 2 });
  const [steady = "", shaky = ""] = namesOf(await activePods(fixture));
  for (const name of [steady, shaky]) {
    await report(fixture, name, readySince(fixture.clock.now(), name === shaky ? 3 : 0));
  }
  return [steady, shaky];
}

const label = (fixture: ReplicaSetFixture, name: string) =>
  patchPod(fixture, name, { metadata: { labels: { [preferredLabel]: "" } } });

const nodeOf = (pod: Pod | undefined) => pod?.spec.nodeName;

function messages({ events }: ReplicaSetFixture, reason: string): readonly string[] {
  return events()
    .filter((note) => note.reason === reason)
    .map(({ message = "" }) => message);
}
