import { expect, onTestFinished, test } from "vitest";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { pods as podResource, replicaSets } from "../../api/resources.ts";
import { Informer } from "../../machinery/informer/informer.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { testApi } from "../../testing/test-api.ts";
import { pod } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { replicaSetKind } from "./kind.ts";
import { relatedPods } from "./related-pods.ts";

async function indexed(owners: readonly ReplicaSet[], known: readonly Pod[]) {
  const { client, clock, seed } = testApi();
  const stored = owners.map((owner) => seed(replicaSets, owner));
  for (const one of known) seed(podResource, one);
  const options = { client, clock, random: seededRandom("related") };
  const ownerInformer = new Informer({ ...options, resource: replicaSets });
  const podInformer = new Informer({ ...options, resource: podResource });
  const related = relatedPods(replicaSetKind, ownerInformer, podInformer);
  const ending = new AbortController();
  const runs = [ownerInformer.run(ending.signal), podInformer.run(ending.signal)];
  onTestFinished(async () => {
    ending.abort();
    await Promise.all(runs);
  });
  await clock.settle();
  const namesFor = (owner: ReplicaSet | undefined) =>
    owner && Array.from(related(owner), ({ metadata }) => metadata.name).sort();
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
