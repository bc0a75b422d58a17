import { expect, onTestFinished, test } from "vitest";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { nodes, pods as podResource, replicaSets, services } from "../../api/resources.ts";
import { Informer } from "../../machinery/informer/informer.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { testApi } from "../../testing/test-api.ts";
import { pod } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { relatedPods } from "../../decisions/gather/related-pods.ts";
import { ownerIndexOf } from "../../machinery/ownership/owner-index.ts";
import { informerReader } from "./informer-reader.ts";
import { replicaSetKind } from "./kind.ts";

async function indexed(owners: readonly ReplicaSet[], known: readonly Pod[]) {
  const { client, clock, seed } = testApi();
  const stored = owners.map((owner) => seed(replicaSets, owner));
  for (const one of known) seed(podResource, one);
  const options = { client, clock, random: seededRandom("related") };
  const ownerInformer = new Informer({ ...options, resource: replicaSets });
  const podInformer = new Informer({ ...options, resource: podResource });
  const { selectionOf } = replicaSetKind;
  const index = ownerIndexOf({ owners: ownerInformer, dependents: podInformer, selectionOf });
  const reader = informerReader(index, {
    owners: ownerInformer,
    pods: podInformer,
    nodes: new Informer({ ...options, resource: nodes }),
    services: new Informer({ ...options, resource: services }),
  });
  const ending = new AbortController();
  const runs = [ownerInformer.run(ending.signal), podInformer.run(ending.signal)];
  onTestFinished(async () => {
    ending.abort();
    await Promise.all(runs);
  });
  await clock.settle();
  const namesFor = (owner: ReplicaSet | undefined) =>
    owner && Array.from(relatedPods(owner, reader), ({ metadata }) => metadata.name).sort();
  return { owners: stored, namesFor };
}

test("related are the Pods that any ReplicaSet of the same controller selects, even one that is being deleted", async () => {
  const { owners, namesFor } = await indexed(
    [
      replicaSet("a", { owner: "web" }),
      replicaSet("old", { owner: "web", size: 0 }),
      replicaSet("going", { owner: "web", deletedAt: "2026-01-01T00:00:00Z" }),
      replicaSet("stranger", { owner: "api" }),
      replicaSet("loner"),
    ],
    ["a", "old", "going", "stranger", "loner"].map((name) =>
      pod(`${name}-1`, { labels: { "pod-template-hash": name } }),
    ),
  );
  const [a] = owners;
  const loner = owners.at(-1);
  expect(namesFor(a)).toEqual(["a-1", "going-1", "old-1"]);
  expect(namesFor(loner)).toEqual(["loner-1"]);
});
