import { expect, test } from "vitest";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isBeingDeleted } from "../../src/api/object.ts";
import { isActive, isTerminal } from "../../src/api/pod-state.ts";
import { deployments, pods, replicaSets } from "../../src/api/resources.ts";
import {
  deployment,
  podsOf,
  podTemplate,
  replicaSet,
  replicaSetsOf,
  setImage,
  sizesOf,
  startSituation,
  web,
} from "./situation.ts";

// What the conformance tests of Kubernetes do to Deployments, in virtual time and in our own words.

const revision = "deployment.kubernetes.io/revision";

test("a ReplicaSet with a very large revision is adopted, and the next revision is that plus one", async () => {
  const cluster = await startSituation();
  const { client, clock } = cluster;
  const template = { ...podTemplate(), metadata: { labels: { name: "web", pod: "old" } } };
  const old = replicaSet();
  await client.create(replicaSets, {
    ...old,
    metadata: { ...old.metadata, annotations: { [revision]: "3546343826724305832" } },
    spec: { ...old.spec, template },
  });
  await clock.advance(10_000);
  await client.create(deployments, deployment());
  await clock.advance(60_000);
  const made = await client.get(deployments, web);
  expect(made.metadata.annotations?.[revision]).toBe("3546343826724305833");
  expect(await sizesOf(cluster)).toEqual([0, 1]);
});

test("under Recreate no Pods of two templates run at a time", async () => {
  const cluster = await startSituation();
  const { client, clock, store } = cluster;
  await client.create(deployments, deployment({ replicas: 2, spec: { strategy: { type: "Recreate" } } }));
  await clock.advance(20_000);
  let mixed = 0;
  store.collection("pods").subscribe({ of: "all" }, () => {
    const there = [...store.collection("pods").records()].map(({ object }) => object as unknown as Pod);
    const running = there.filter((pod) => !isTerminal(pod));
    if (new Set(running.map(({ spec }) => spec.containers[0]?.image)).size > 1) mixed++;
  });
  await setImage(cluster, "httpd:3");
  await clock.advance(60_000);
  expect((await podsOf(cluster)).map(({ spec }) => spec.containers[0]?.image)).toEqual([
    "httpd:3",
    "httpd:3",
  ]);
  expect(mixed).toBe(0);
});

test("with a history limit of zero old ReplicaSets go, and one Pod is created", async () => {
  const cluster = await startSituation();
  const { client, clock, store } = cluster;
  await client.create(replicaSets, replicaSet({ image: "httpd:1" }));
  await clock.advance(10_000);
  let created = 0;
  store.collection("pods").subscribe({ of: "all" }, (events) => {
    created += events.filter(({ type }) => type === "ADDED").length;
  });
  await client.create(deployments, deployment({ spec: { revisionHistoryLimit: 0 } }));
  await clock.advance(60_000);
  expect([(await replicaSetsOf(cluster)).length, created]).toEqual([1, 1]);
});

test("a rollout to an image that does not exist is overtaken by the next one", async () => {
  const cluster = await startSituation();
  const { client, clock } = cluster;
  const strategy = { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } };
  await client.create(deployments, deployment({ spec: { minReadySeconds: 10, strategy } }));
  await clock.advance(30_000);
  await setImage(cluster, "agnhost:nonexistent");
  await clock.advance(60_000);
  expect(new Set((await podsOf(cluster)).map(({ status }) => status?.phase))).toEqual(
    new Set(["Pending", "Running"]),
  );
  await setImage(cluster, "agnhost:2");
  await clock.advance(60_000);
  const running = await podsOf(cluster);
  expect(running.map(({ spec, status }) => [spec.containers[0]?.image, status?.phase])).toEqual([
    ["agnhost:2", "Running"],
  ]);
  expect(await sizesOf(cluster)).toEqual([0, 0, 1]);
});

test("a scale in the middle of a rollout that is stuck is shared in proportion", async () => {
  const cluster = await startSituation();
  const { client, clock } = cluster;
  const strategy = { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 2, maxSurge: 3 } };
  await client.create(deployments, deployment({ replicas: 10, spec: { strategy } }));
  await clock.advance(30_000);
  await setImage(cluster, "webserver:404");
  await clock.advance(30_000);
  expect(await sizesOf(cluster)).toEqual([5, 8]);
  await client.patch(deployments, web, { type: "merge", body: { spec: { replicas: 30 } } });
  await clock.advance(30_000);
  expect(await sizesOf(cluster)).toEqual([13, 20]);
});

test("a Deployment that is deleted takes everything along, and one that orphans leaves what is adopted again", async () => {
  const cluster = await startSituation();
  const { client, clock } = cluster;
  const { metadata } = await client.create(deployments, deployment());
  await clock.advance(10_000);
  const preconditions = { uid: metadata.uid };
  await client.delete(deployments, web, { propagationPolicy: "Orphan", preconditions });
  await clock.advance(10_000);
  const [orphan] = await replicaSetsOf(cluster);
  expect(orphan?.metadata.ownerReferences ?? []).toEqual([]);
  const { metadata: adopter } = await client.create(deployments, deployment());
  await clock.advance(10_000);
  const adopted = await replicaSetsOf(cluster);
  expect(
    adopted.map(({ metadata: { uid, ownerReferences = [] } }) => [uid, ownerReferences[0]?.uid]),
  ).toEqual([[orphan?.metadata.uid, adopter.uid]]);
  await client.delete(deployments, web, { propagationPolicy: "Background" });
  await clock.advance(20_000);
  expect([await replicaSetsOf(cluster), await podsOf(cluster)]).toEqual([[], []]);
});

test("a Pod that ignores SIGTERM runs for its whole grace period, then has failed, then is gone, and is counted until then", async () => {
  const cluster = await startSituation();
  const { client, clock } = cluster;
  const annotations = { "sim.trimtab.dev/ignoreSIGTERM": "true", "sim.trimtab.dev/removalDelay": "2s" };
  const template = podTemplate({ annotations });
  const spec = { template: { ...template, spec: { ...template.spec, terminationGracePeriodSeconds: 30 } } };
  await client.create(deployments, deployment({ spec }));
  await clock.advance(10_000);
  const [pod] = await podsOf(cluster);
  await client.delete(pods, pod?.metadata ?? web);

  const seen = async () => {
    const there = (await podsOf(cluster)).find(({ metadata }) => metadata.uid === pod?.metadata.uid);
    const { status } = await client.get(deployments, web);
    const state = there === undefined ? "gone" : `${there.status?.phase} ${isBeingDeleted(there)}`;
    return [state, status?.terminatingReplicas ?? 0];
  };
  await clock.advance(29_000);
  expect(await seen()).toEqual(["Running true", 1]);
  await clock.advance(2000);
  expect(await seen()).toEqual(["Failed true", 0]);
  await clock.advance(2000);
  expect(await seen()).toEqual(["gone", 0]);
  expect((await podsOf(cluster)).filter(isActive)).toHaveLength(1);
});
