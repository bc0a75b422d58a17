import { expect, test } from "vitest";
import type { Pod } from "../api/generated/core-v1.ts";
import { pod } from "../testing/pod.ts";
import { NominatedPods } from "./nominated-pods.ts";

/** A waiting Pod whose status names a node, or none. */
function waiting(nominatedNodeName?: string): Pod {
  const plain = pod("a", { node: null });
  return { ...plain, status: { ...plain.status, ...(nominatedNodeName && { nominatedNodeName }) } };
}

const uid = waiting().metadata.uid;
const placesOf = (nominated: NominatedPods) =>
  ["n", "m"].filter((node) => nominated.on(node).some((each) => each.pod.metadata.uid === uid));

test("a Pod is nominated to one node at a time", () => {
  const nominated = new NominatedPods();
  nominated.set(waiting(), "n");
  nominated.set(waiting(), "m");
  expect([nominated.nodeOf(uid), placesOf(nominated)]).toEqual(["m", ["m"]]);
  nominated.delete(uid);
  expect([nominated.nodeOf(uid), placesOf(nominated)]).toEqual([undefined, []]);
});

test.for<{ name: string; known?: string; before?: Pod; after: Pod; want: readonly string[] }>([
  { name: "a new Pod that names a node", after: waiting("n"), want: ["n"] },
  { name: "a new Pod that names none", after: waiting(), want: [] },
  { name: "another node", known: "n", before: waiting("n"), after: waiting("m"), want: ["m"] },
  { name: "a nomination that is withdrawn", known: "n", before: waiting("n"), after: waiting(), want: [] },
  {
    name: "an update before the API server has the nomination",
    known: "n",
    before: waiting(),
    after: waiting(),
    want: ["n"],
  },
])("the status is followed: $name", ({ known, before, after, want }) => {
  const nominated = new NominatedPods();
  if (known !== undefined) nominated.set(before ?? after, known);
  nominated.follow(before, after);
  expect(placesOf(nominated)).toEqual(want);
});
