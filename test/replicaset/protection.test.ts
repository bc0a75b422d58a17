import { expect, onTestFinished, test } from "vitest";
import type { ReplicaSetCondition } from "../../src/api/generated/apps-v1.ts";
import type { JsonObject } from "../../src/api/json.ts";
import { deployments, events, pods, replicaSets } from "../../src/api/resources.ts";
import { formatTime } from "../../src/api/time.ts";
import { simulatedConnector, type SimulatedPicker } from "../../src/picker/simulated-picker.ts";
import { MemoryStore } from "../../src/cluster/store/memory-store.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { deployment } from "../../src/testing/deployment.ts";
import { testCluster } from "../../src/testing/test-cluster.ts";
import { type ReplicaSetFixture, startReplicaSetFixture } from "./fixture.ts";
import {
  activePods,
  asked,
  at,
  createRunning,
  namesOf,
  patchPod,
  patchReplicaSet,
  scale,
  statusOf,
  workload,
} from "./workload.ts";

const gates = { PodRemovalProtection: true };
const minute = 60_000;

/** A fixture with a running ReplicaSet `web` of four Pods, whose names it returns. */
async function start(options: Parameters<typeof startReplicaSetFixture>[0] = { gates }) {
  const fixture = await startReplicaSetFixture(options);
  await createRunning(fixture, "web", { replicas: 4 });
  const [a = "", b = "", c = "", d = ""] = namesOf(await activePods(fixture));
  return { fixture, a, b, c, d };
}

const annotate = (annotations: JsonObject) => ({ metadata: { annotations } });
const labelled = { metadata: { labels: { "trimtab.dev/protected": "busy" } } };
const idle = { metadata: { labels: { "trimtab.dev/protected": null } } };

const left = async (fixture: ReplicaSetFixture) => namesOf(await activePods(fixture));

async function heldCondition(fixture: ReplicaSetFixture): Promise<ReplicaSetCondition | undefined> {
  const { conditions } = (await statusOf(fixture, "web")) ?? {};
  return conditions?.find(({ type }) => type === "RemovalHeld");
}

const reasons = (fixture: ReplicaSetFixture) =>
  fixture
    .events()
    .map(({ reason }) => reason ?? "")
    .filter((reason) => /Remov|Protection/.test(reason));

const messageOf = (fixture: ReplicaSetFixture, wanted: string) =>
  fixture.events().findLast(({ reason }) => reason === wanted)?.message;

const holdOf = async (fixture: ReplicaSetFixture) =>
  (await fixture.client.get(replicaSets, at("web"))).metadata.labels?.["trimtab.dev/held-removal"];

test("a protected Pod is passed over, and nothing is held back where others can go", async () => {
  const { fixture, a, b } = await start();
  await patchPod(fixture, a, labelled);
  await patchPod(fixture, b, labelled);
  await scale(fixture, "web", 2);
  expect(await left(fixture)).toEqual([a, b]);
  expect(await heldCondition(fixture)).toBeUndefined();
  const record = fixture.removals.find(at("web"))[0];
  const rows = record?.candidates.filter(({ verdict }) => verdict === "protected") ?? [];
  expect(rows.map(({ pod }) => pod).toSorted()).toEqual([a, b]);
  expect(rows[0]?.reason).toBe("protected: labelled trimtab.dev/protected");
  expect(messageOf(fixture, "SuccessfulDelete")).toMatch(/\(all Pods that are not protected go\)$/);
  expect(reasons(fixture)).toEqual([]);
});

test("a removal is held back for its protected Pods, says so, and goes on when a label goes", async () => {
  const { fixture, a, b, c } = await start();
  for (const name of [a, b, c]) await patchPod(fixture, name, labelled);
  await scale(fixture, "web", 1);
  expect(await left(fixture)).toEqual([a, b, c]);
  const since = formatTime(fixture.clock.now());
  const until = formatTime(fixture.clock.now() + 30 * minute);
  const message = `2 Pods are kept beyond the size of 1 because ${a}, ${b}, ${c} are protected; since ${since}, until ${until} at the latest`;
  expect(await heldCondition(fixture)).toMatchObject({ status: "True", reason: "ProtectedPods", message });
  expect(messageOf(fixture, "RemovalHeld")).toBe(message);
  expect(await statusOf(fixture, "web")).toMatchObject({ replicas: 3, observedGeneration: 2 });
  expect(
    fixture.metrics.value("trimtab_removals_held", { namespace: "default", workload: "ReplicaSet/web" }),
  ).toBe(2);

  await patchPod(fixture, b, idle);
  expect(await left(fixture)).toEqual([a, c]);
  await patchPod(fixture, c, idle);
  await fixture.clock.advance(1000);
  expect(await left(fixture)).toEqual([a]);
  expect(await heldCondition(fixture)).toBeUndefined();
  expect(await holdOf(fixture)).toBeUndefined();
  expect(reasons(fixture)).toEqual(["RemovalHeld", "RemovalHoldEnded"]);
});

test("without the gate nothing looks at protection", async () => {
  const { fixture, a, b, c } = await start({});
  for (const name of [a, b, c]) await patchPod(fixture, name, labelled);
  await scale(fixture, "web", 0);
  expect(await left(fixture)).toEqual([]);
  expect(reasons(fixture)).toEqual([]);
});

test("size 0 is held back like any other, and deleting the ReplicaSet is not", async () => {
  const { fixture, a } = await start();
  await patchPod(fixture, a, labelled);
  await scale(fixture, "web", 0);
  expect(await left(fixture)).toEqual([a]);
  await fixture.client.delete(replicaSets, at("web"));
  await fixture.clock.advance(minute);
  expect(await left(fixture)).toEqual([]);
});

test("an annotation protects until its time, at which the removal goes on by itself", async () => {
  const { fixture, a } = await start();
  const until = formatTime(fixture.clock.now() + 5 * minute);
  await patchPod(fixture, a, annotate({ "trimtab.dev/protect-until": until }));
  await scale(fixture, "web", 0);
  await fixture.clock.advance(5 * minute - 1000);
  expect(await left(fixture)).toEqual([a]);
  await fixture.clock.advance(1000);
  expect(await left(fixture)).toEqual([]);
});

test("a time that cannot be read protects nobody and is an event", async () => {
  const { fixture, a } = await start();
  await patchPod(fixture, a, annotate({ "trimtab.dev/protect-until": "tomorrow" }));
  await scale(fixture, "web", 0);
  expect(await left(fixture)).toEqual([]);
  expect(messageOf(fixture, "InvalidProtection")).toMatch(`protects nothing: ${a}`);
});

test("at its limit, and not before, a Pod goes although it is protected, and an event names it", async () => {
  const { fixture, a } = await start();
  await patchReplicaSet(fixture, "web", annotate({ "trimtab.dev/protection-limit": "10m" }));
  await patchPod(fixture, a, labelled);
  await scale(fixture, "web", 0);
  await fixture.clock.advance(10 * minute - 1000);
  expect(await left(fixture)).toEqual([a]);
  await fixture.clock.advance(2000);
  expect(await left(fixture)).toEqual([]);
  expect(messageOf(fixture, "ProtectionLimitReached")).toBe(
    `Removing although protected, since the limit of 10m0s has come: ${a}`,
  );
  expect(reasons(fixture)).toEqual(["RemovalHeld", "ProtectionLimitReached", "RemovalHoldEnded"]);
});

test.for(["a while", "25h", "-1m"])("a limit of %s is an event, and the default counts", async (limit) => {
  const { fixture, a } = await start();
  await patchReplicaSet(fixture, "web", annotate({ "trimtab.dev/protection-limit": limit }));
  await patchPod(fixture, a, labelled);
  await scale(fixture, "web", 0);
  expect(messageOf(fixture, "InvalidProtectionLimit")).toMatch("the limit is 30m0s");
  await fixture.clock.advance(30 * minute - 1000);
  expect(await left(fixture)).toEqual([a]);
});

test("a smaller size keeps the beginning of those that waited, and gives the others their own", async () => {
  const { fixture, a, b, c, d } = await start();
  for (const name of [a, b, c, d]) await patchPod(fixture, name, labelled);
  await scale(fixture, "web", 3);
  await fixture.clock.advance(20 * minute);
  await scale(fixture, "web", 1);
  await fixture.clock.advance(10 * minute + 1000);
  expect(await left(fixture)).toHaveLength(3);
  await fixture.clock.advance(19 * minute);
  expect(await left(fixture)).toHaveLength(3);
  await fixture.clock.advance(minute);
  expect(await left(fixture)).toHaveLength(1);
});

test("a scale-up ends the hold, and the next one begins anew", async () => {
  const { fixture, a, b, c, d } = await start();
  for (const name of [a, b, c, d]) await patchPod(fixture, name, labelled);
  await scale(fixture, "web", 3);
  await fixture.clock.advance(20 * minute);
  await scale(fixture, "web", 4);
  expect(await heldCondition(fixture)).toBeUndefined();
  expect(messageOf(fixture, "RemovalHoldEnded")).toMatch("no more Pods than the size asks for");
  await scale(fixture, "web", 3);
  await fixture.clock.advance(29 * minute);
  expect(await left(fixture)).toHaveLength(4);
  await fixture.clock.advance(2 * minute);
  expect(await left(fixture)).toHaveLength(3);
});

test("while it waits, nothing is asked of the API server again and again", async () => {
  const { fixture, a } = await start();
  await patchPod(fixture, a, labelled);
  await scale(fixture, "web", 0);
  await fixture.clock.advance(minute);
  const before = fixture.controller.requests.length;
  await fixture.clock.advance(20 * minute);
  expect(fixture.controller.requests.slice(before)).toEqual([]);
  expect(asked(fixture, "patch replicasets.apps")).toBe(1);
});

/** A picker that protects these Pods, and the times at which it was asked, in seconds. */
function protecting(busy: Set<string>, answer: (at: number) => unknown = () => undefined) {
  const times: number[] = [];
  const picker: SimulatedPicker = {
    pick({ candidates, requested }, now) {
      times.push(now / 1000);
      return (
        answer(times.length) ?? {
          chosen_pods: candidates.filter((name) => !busy.has(name)).slice(0, requested),
          protected_pods: [...busy],
        }
      );
    },
  };
  const pickerConnector = ({ clock }: Parameters<NonNullable<Options["pickerConnector"]>>[0]) =>
    simulatedConnector(new Map([["picker", picker]]), clock);
  return { pickerConnector, times };
}

type Options = NonNullable<Parameters<typeof startReplicaSetFixture>[0]>;

const downscalePodPicker = { http: { host: "picker", port: 80 } };

test("the Pods that a picker protects are held back, and it is asked again ever less often", async () => {
  const busy = new Set<string>();
  const { pickerConnector, times } = protecting(busy);
  const { fixture, a, b } = await start({ gates, pickerConnector });
  for (const name of [a, b]) busy.add(name);
  await patchReplicaSet(fixture, "web", { spec: { downscalePodPicker } });
  await scale(fixture, "web", 0);
  await fixture.clock.advance(1000);
  expect(await left(fixture)).toEqual([a, b]);
  await fixture.clock.advance(3 * minute);
  expect(times.slice(1).map((time, index) => Math.round(time - (times[index] ?? 0)))).toEqual([
    10, 20, 40, 60,
  ]);
  expect(await left(fixture)).toEqual([a, b]);
  busy.delete(a);
  await fixture.clock.advance(minute);
  expect(await left(fixture)).toEqual([b]);
  await fixture.clock.advance(30 * minute);
  expect(await left(fixture)).toEqual([]);
  expect(messageOf(fixture, "ProtectionLimitReached")).toMatch(b);
});

test("a picker that fails while it is waited for takes no protection back", async () => {
  const busy = new Set<string>();
  const failure = { kind: "failed", class: "Refused", isTransient: false };
  const { pickerConnector } = protecting(busy, (call) => (call > 1 ? failure : undefined));
  const { fixture, a } = await start({ gates, pickerConnector });
  busy.add(a);
  await patchReplicaSet(fixture, "web", { spec: { downscalePodPicker } });
  await scale(fixture, "web", 0);
  await fixture.clock.advance(29 * minute);
  expect(await left(fixture)).toEqual([a]);
  await fixture.clock.advance(2 * minute);
  expect(await left(fixture)).toEqual([]);
});

test("a restart of the controllers does not begin the limit anew", async () => {
  const clock = new VirtualClock();
  const store = new MemoryStore({ clock });
  const first = await testCluster({ gates, clock, store, seed: "first" });
  await first.client.create(replicaSets, workload("web", { replicas: 1 }));
  await clock.advance(2000);
  const [pod] = (await first.client.list(pods, { namespace: "default" })).items;
  await first.client.patch(pods, pod?.metadata ?? at(""), { type: "merge", body: labelled });
  await first.client.patch(replicaSets, at("web"), { type: "merge", body: { spec: { replicas: 0 } } });
  await clock.advance(20 * minute);
  await first.stop();

  const second = await testCluster({ gates, clock, store, seed: "second" });
  onTestFinished(second.stop);
  const count = async () => (await second.client.list(pods, { namespace: "default" })).items.length;
  await clock.advance(9 * minute);
  expect(await count()).toBe(1);
  await clock.advance(3 * minute);
  expect(await count()).toBe(0);
});

test("what is held back is said on the Deployment, too, where people look", async () => {
  const cluster = await testCluster({ gates });
  onTestFinished(cluster.stop);
  const { client, clock } = cluster;
  const { metadata: _, ...web } = deployment("web", { replicas: 2 });
  await client.create(deployments, {
    metadata: { ...at("web"), annotations: { "trimtab.dev/protection-limit": "10m" } },
    ...web,
  });
  await clock.advance(minute);
  const [pod] = (await client.list(pods, { namespace: "default" })).items;
  await client.patch(pods, pod?.metadata ?? at(""), { type: "merge", body: labelled });
  await client.patch(deployments, at("web"), { type: "merge", body: { spec: { replicas: 0 } } });
  await clock.advance(11 * minute);
  const said = (await client.list(events, { namespace: "default" })).items
    .filter(({ involvedObject }) => involvedObject.kind === "Deployment")
    .flatMap(({ reason = "" }) => (/Remov|Protection/.test(reason) ? [reason] : []));
  expect(said.toSorted()).toEqual(["ProtectionLimitReached", "RemovalHeld", "RemovalHoldEnded"]);
});
