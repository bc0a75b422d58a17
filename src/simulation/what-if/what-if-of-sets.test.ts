import { beforeAll, expect, test } from "vitest";
import { daemonSets, statefulSets } from "../../api/resources.ts";
import type { ActionDocument } from "../scenario-files/scenario-document.ts";
import { objectsIn, simulatedClusterOf } from "../snapshot/load-snapshot.ts";
import { type Snapshot, takeSnapshot } from "../snapshot/snapshot.ts";
import { startSimulatedCluster } from "../simulated-cluster.ts";
import { runWhatIf } from "./run-what-if.ts";

let snapshot: Snapshot;

/** A StatefulSet with claims and a DaemonSet, whose Pods have what a snapshot leaves out, on three nodes in three zones. */
beforeAll(async () => {
  const { client, store, clock, untilStable, stop } = await startSimulatedCluster({
    seed: 1,
    nodes: 3,
    zones: 3,
  });
  const specOf = (name: string) => {
    const containers = [{ name, image: `${name}:1`, env: [{ name: "A", value: "b" }] }];
    const labels = { app: name };
    return { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } };
  };
  const claim = {
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  };
  await client.create(statefulSets, {
    metadata: { namespace: "default", name: "db" },
    spec: { ...specOf("db"), replicas: 3, serviceName: "db", volumeClaimTemplates: [claim as never] },
  });
  await client.create(daemonSets, {
    metadata: { namespace: "default", name: "agent" },
    spec: specOf("agent"),
  });
  await untilStable();
  snapshot = takeSnapshot(objectsIn(store), { now: clock.now() });
  await stop();
});

const whatIf = (...changes: readonly ActionDocument[]) => runWhatIf({ snapshot, changes, seed: 1 });

test("sets that are loaded go on as they were", async () => {
  const loaded = await startSimulatedCluster({ seed: 2, ...simulatedClusterOf(snapshot) });
  const before = objectsIn(loaded.store).pods.map(({ metadata }) => metadata.uid);
  await loaded.advance(3_600_000);
  expect(objectsIn(loaded.store).pods.map(({ metadata }) => metadata.uid)).toEqual(before);
  await loaded.stop();
});

test("of a StatefulSet that is scaled down the Pod with the highest ordinal goes", async () => {
  const { went, came, workloads } = await whatIf({ scale: { workload: "statefulset/db", replicas: 2 } });
  expect(went).toMatchObject([
    { pod: "db-2", rule: "scaled-down", because: "its ordinal is not one of 0 to 1" },
  ]);
  expect(came).toEqual([]);
  expect(workloads.find(({ name }) => name === "db")).toMatchObject({
    before: { wanted: 3, ready: 3 },
    after: { wanted: 2, ready: 2 },
  });
});

test("Pods of a StatefulSet come back one after another, each in the zone of its volume", async () => {
  const zoneOf = new Map<string, string | undefined>();
  const { went, came } = await whatIf({ restart: { workload: "statefulset/db" } });
  for (const { pod, zone } of went) zoneOf.set(pod, zone);
  expect(went.map(({ pod }) => pod)).toEqual(["db-2", "db-1", "db-0"]);
  expect(came.map(({ pod, zone }) => [pod, zone])).toEqual([...zoneOf]);
});

test("the Pod of a StatefulSet does not move when its zone fails", async () => {
  const [gone] = (await whatIf({ restart: { workload: "statefulset/db" } })).went;
  const { came, notReady } = await whatIf({ down: { zone: gone?.zone ?? "" } });
  expect(came).toEqual([]);
  expect(notReady).toContainEqual(
    expect.objectContaining({
      pod: gone?.pod,
      problem: "not-gone",
      because: expect.stringMatching(/ordinal/),
    }),
  );
});

test("a DaemonSet is replaced node by node", async () => {
  const { went, came } = await whatIf({ restart: { workload: "daemonset/agent" } });
  expect(new Set(went.map(({ because }) => because))).toEqual(
    new Set(["outdated: an earlier revision; 1 node may be unavailable, 0 are"]),
  );
  expect(new Set(came.map(({ node }) => node))).toEqual(new Set(went.map(({ node }) => node)));
  expect(new Set(came.map(({ node }) => node)).size).toBe(3);
});

test("a StatefulSet of an anonymised snapshot stands still, since other names have no ordinals", async () => {
  const changes = [{ scale: { workload: "statefulset/db", replicas: 1 } }];
  const { went } = await runWhatIf({ snapshot: { ...snapshot, isAnonymised: true }, changes, seed: 1 });
  expect(went).toEqual([]);
});
