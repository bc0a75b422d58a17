import { expect, onTestFinished, test } from "vitest";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { OwnerReference } from "../../api/generated/meta-v1.ts";
import { pods as podResource, replicaSets } from "../../api/resources.ts";
import { Informer } from "../informer/informer.ts";
import { seededRandom } from "../random/random.ts";
import { testApi } from "../../testing/test-api.ts";
import { pod } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { ownerIndexOf } from "./owner-index.ts";
import { workloadSelection } from "../../api/labels/workload-selection.ts";

async function indexed(owners: readonly ReplicaSet[], known: readonly Pod[] = []) {
  const { client, clock, seed } = testApi();
  const stored = {
    owners: owners.map((owner) => seed(replicaSets, owner)),
    pods: known.map((one) => seed(podResource, one)),
  };
  const ending = new AbortController();
  const options = { client, clock, random: seededRandom("owner-index") };
  const ownerInformer = new Informer({ ...options, resource: replicaSets });
  const podInformer = new Informer({ ...options, resource: podResource });
  const index = ownerIndexOf({
    owners: ownerInformer,
    dependents: podInformer,
    selectionOf: workloadSelection,
  });
  const runs = [ownerInformer.run(ending.signal), podInformer.run(ending.signal)];
  onTestFinished(async () => {
    ending.abort();
    await Promise.all(runs);
  });
  await Promise.all([ownerInformer.synced(ending.signal), podInformer.synced(ending.signal)]);
  return { index, ...stored };
}

function ownedBy(name: string, traits: Partial<OwnerReference> = {}): readonly OwnerReference[] {
  return [
    { apiVersion: "apps/v1", kind: "ReplicaSet", name, uid: `uid-of-${name}`, controller: true, ...traits },
  ];
}

function podOf(name: string, owner: string, references = ownedBy(owner)): Pod {
  const one = pod(name, { labels: { "pod-template-hash": owner } });
  return { ...one, metadata: { ...one.metadata, ownerReferences: references } };
}

const namesOf = (objects: readonly { readonly metadata: { readonly name: string } }[]) =>
  objects.map(({ metadata }) => metadata.name).sort();

test.for([
  { name: "the one it names as its controller", references: ownedBy("a"), want: "a" },
  {
    name: "that one in whatever group it says, as only the kind is compared",
    references: ownedBy("a", { apiVersion: "other/v1" }),
    want: "a",
  },
  {
    name: "none when it names an owner that is not its controller",
    references: ownedBy("a", { controller: false }),
    want: undefined,
  },
  {
    name: "none when the owner is of another kind",
    references: ownedBy("a", { kind: "DaemonSet" }),
    want: undefined,
  },
  { name: "none when the UID is another", references: ownedBy("a", { uid: "earlier" }), want: undefined },
  {
    name: "none when there is no owner of that name",
    references: ownedBy("none", { uid: "none" }),
    want: undefined,
  },
])("the owner of a Pod is $name", async ({ references, want }) => {
  const { index, pods } = await indexed([replicaSet("a")], [podOf("a-1", "a", references)]);
  expect(pods.map((one) => index.ownerOf(one)?.metadata.name)).toEqual([want]);
});

test("an owner of that name in another namespace is not the owner", async () => {
  const { index } = await indexed([replicaSet("a", { namespace: "elsewhere" })]);
  expect(index.ownerOf(podOf("a-1", "a"))).toBeUndefined();
});

test.for([
  { name: "those whose selectors match", labels: { "pod-template-hash": "a" }, want: ["a"] },
  {
    name: "none in another namespace",
    labels: { "pod-template-hash": "a" },
    namespace: "elsewhere",
    want: [],
  },
  { name: "none when no selector matches", labels: { "pod-template-hash": "c" }, want: [] },
])("an orphan is selected by $name", async ({ labels, namespace = "default", want }) => {
  const { index } = await indexed([replicaSet("a"), replicaSet("b")]);
  expect(namesOf(index.ownersSelecting(pod("orphan", { labels, namespace })))).toEqual(want);
});

test("an orphan without labels is selected by none, whatever selectors there are", async () => {
  const owner = replicaSet("a");
  const anything = { matchExpressions: [{ key: "app", operator: "DoesNotExist" }] };
  const { index } = await indexed([{ ...owner, spec: { ...owner.spec, selector: anything } }]);
  const bare = pod("orphan");
  expect(index.ownersSelecting({ ...bare, metadata: { ...bare.metadata, labels: {} } })).toEqual([]);
});

test.for([
  { name: "is absent", selector: undefined },
  { name: "is empty", selector: {} },
  { name: "cannot be read", selector: { matchExpressions: [{ key: "app", operator: "Roughly" }] } },
])("a selector that $name selects nothing", async ({ selector }) => {
  const owner = replicaSet("a");
  const spec = { ...owner.spec, selector: selector as ReplicaSet["spec"]["selector"] };
  const { index } = await indexed([{ ...owner, spec }]);
  expect(index.ownersSelecting(pod("orphan"))).toEqual([]);
});

test("an owner may claim the Pods it controls, whatever their labels, and the orphans of its namespace", async () => {
  const { index, owners } = await indexed(
    [replicaSet("a"), replicaSet("b")],
    [
      podOf("a-1", "a"),
      podOf("a-stranger", "b", ownedBy("a")),
      podOf("b-1", "b"),
      podOf("a-of-earlier", "a", ownedBy("a", { uid: "earlier" })),
      podOf("a-of-daemon", "a", ownedBy("a", { kind: "DaemonSet" })),
      podOf("orphan", "b", ownedBy("b", { controller: false })),
      pod("orphan-elsewhere", { namespace: "elsewhere" }),
    ],
  );
  const [a] = owners;
  expect(a && namesOf(index.claimableBy(a))).toEqual(["a-1", "a-stranger", "orphan"]);
});
