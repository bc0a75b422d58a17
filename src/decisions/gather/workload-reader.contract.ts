import { expect, test } from "vitest";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Node, Pod, Service } from "../../api/generated/core-v1.ts";
import { node } from "../../testing/node.ts";
import { pod } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { activePodsOf } from "./owned-objects.ts";
import { relatedPods } from "./gather-removal.ts";
import type { WorkloadReader } from "./workload-reader.ts";

/** What a reader reads from. */
export interface ReaderObjects {
  readonly pods: readonly Pod[];
  readonly replicaSets: readonly ReplicaSet[];
  readonly nodes: readonly Node[];
  readonly services: readonly Service[];
}

const ownedBy = (name: string) => ({ apiVersion: "apps/v1", kind: "ReplicaSet", name });
const hash = (name: string) => ({ labels: { "pod-template-hash": name } });
const namesOf = (objects: Iterable<{ readonly metadata: { readonly name: string } }>) =>
  Array.from(objects, ({ metadata }) => metadata.name).sort();

const web = replicaSet("a", { owner: "web" });
const loner = replicaSet("loner");
const objects: ReaderObjects = {
  replicaSets: [
    web,
    replicaSet("old", { owner: "web", size: 0 }),
    replicaSet("going", { owner: "web", deletedAt: "2026-01-01T00:00:00Z" }),
    replicaSet("stranger", { owner: "api" }),
    loner,
  ],
  pods: [
    pod("a-1", { ...hash("a"), owner: ownedBy("a") }),
    pod("a-failed", { ...hash("a"), owner: ownedBy("a"), phase: "Failed" }),
    pod("a-going", { ...hash("a"), owner: ownedBy("a"), deletedAt: "2026-01-01T00:00:00Z" }),
    pod("a-orphan", hash("a")),
    pod("a-elsewhere", { ...hash("a"), namespace: "elsewhere" }),
    pod("a-released", { ...hash("other"), owner: ownedBy("a") }),
    pod("old-1", { ...hash("old"), owner: ownedBy("old") }),
    pod("going-1", { ...hash("going"), owner: ownedBy("going") }),
    pod("stranger-1", { ...hash("stranger"), owner: ownedBy("stranger") }),
    pod("loner-1", { ...hash("loner"), owner: ownedBy("loner") }),
  ],
  nodes: [node("node-1"), node("node-2")],
  services: [],
};

/** What every reader of a cluster has to do. */
export function describeReader(
  readerOf: (objects: ReaderObjects) => WorkloadReader<ReplicaSet> | Promise<WorkloadReader<ReplicaSet>>,
): void {
  test("active are the Pods an owner controls and selects, and the orphans of its namespace that it selects", async () => {
    const reader = await readerOf(objects);
    expect(namesOf(activePodsOf(web, reader))).toEqual(["a-1", "a-orphan"]);
    expect(namesOf(activePodsOf(loner, reader))).toEqual(["loner-1"]);
  });

  test("related are the Pods that any ReplicaSet of the same controller selects, even one that is being deleted", async () => {
    const reader = await readerOf(objects);
    const related = relatedPods(web, reader);
    const want = ["a-1", "a-failed", "a-going", "a-orphan", "going-1", "old-1"];
    expect([namesOf(related), namesOf(related)]).toEqual([want, want]);
    expect(namesOf(relatedPods(loner, reader))).toEqual(["loner-1"]);
  });

  test("nodes and Services are all there are", async () => {
    const reader = await readerOf(objects);
    expect([namesOf(reader.nodes() ?? []), reader.services()]).toEqual([["node-1", "node-2"], []]);
  });
}
