import { expect, test } from "vitest";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { pod } from "../../src/testing/pod.ts";
import { ClusterState } from "./cluster-state.ts";
import { collectionSink } from "./collection-sink.ts";
import type { LiveChange } from "./kinds.ts";

/** A Pod at a resource version. */
const at = (name: string, resourceVersion: string): Pod => {
  const made = pod(name);
  return { ...made, metadata: { ...made.metadata, resourceVersion } };
};
const added = (object: Pod) => ({ type: "gather", event: { type: "ADDED", object } }) as const;

function watched() {
  const state = new ClusterState();
  const seen: string[] = [];
  const describe = ({ key, before, after }: LiveChange) =>
    `${key} ${before?.metadata.resourceVersion ?? "-"}→${after?.metadata.resourceVersion ?? "-"}`;
  const sink = collectionSink<Pod>("pods", state.collections.pods, (changes) => {
    for (const change of changes) state.apply(change);
    seen.push(...changes.map(describe));
  });
  return { sink, seen, state };
}

test("the first list adds its objects when it is complete, not before", () => {
  const { sink, seen } = watched();
  sink(added(at("a", "1")));
  sink(added(at("b", "2")));
  expect(seen).toEqual([]);
  sink({ type: "replace", resourceVersion: "2" });
  expect(seen).toEqual(["default/a -→1", "default/b -→2"]);
});

test("a list after a lost connection becomes the differences to what was known", () => {
  const { sink, seen } = watched();
  for (const each of [at("same", "1"), at("changed", "2"), at("deleted", "3")]) sink(added(each));
  sink({ type: "replace", resourceVersion: "3" });
  seen.length = 0;
  for (const each of [at("same", "1"), at("changed", "5"), at("new", "6")]) sink(added(each));
  sink({ type: "replace", resourceVersion: "6" });
  expect(seen).toEqual(["default/deleted 3→-", "default/changed 2→5", "default/new -→6"]);
});

test("a list that became invalid leaves nothing behind", () => {
  const { sink, seen } = watched();
  sink(added(at("a", "1")));
  sink({ type: "discard" });
  sink(added(at("b", "2")));
  sink({ type: "replace", resourceVersion: "2" });
  expect(seen).toEqual(["default/b -→2"]);
});

test("a change of one object has what it was before", () => {
  const { sink, seen } = watched();
  sink({ type: "apply", event: { type: "ADDED", object: at("a", "1") }, resourceVersion: "1" });
  sink({ type: "apply", event: { type: "MODIFIED", object: at("a", "2") }, resourceVersion: "2" });
  sink({ type: "apply", event: { type: "DELETED", object: at("a", "3") }, resourceVersion: "3" });
  expect(seen).toEqual(["default/a -→1", "default/a 1→2", "default/a 2→-"]);
});

test("managed fields are not kept", () => {
  const { sink, state } = watched();
  const plain = at("a", "1");
  const object = { ...plain, metadata: { ...plain.metadata, managedFields: [{ manager: "kubectl" }] } };
  sink({ type: "apply", event: { type: "ADDED", object }, resourceVersion: "1" });
  expect(state.collections.pods.get("default/a")).toEqual(plain);
});
