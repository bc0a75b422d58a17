import { expect, test } from "vitest";
import { type Dependent, garbageActionFor, type OwnerState, type GraphNode } from "./garbage-action.ts";

const owner = (state: OwnerState["state"], uid = state): OwnerState => ({
  state,
  reference: { apiVersion: "v1", kind: "X", name: uid, uid },
});
const deleting = { deletionTimestamp: "2026-01-01T00:00:00Z" };
const child = (blocksOwner: boolean, isBeingDeleted = false, isWaiting = false) => ({
  blocksOwner,
  isBeingDeleted,
  isWaiting,
});
interface Given extends Partial<Omit<GraphNode, "dependents">> {
  readonly dependents?: readonly Dependent[];
}
const node = ({ dependents = [], ...given }: Given): GraphNode => ({
  metadata: {},
  owners: [],
  dependents: () => dependents,
  ...given,
});

test.for<{ name: string; given: Given; want: unknown }>([
  { name: "leaves an object without owners alone", given: {}, want: { do: "nothing" } },
  {
    name: "leaves an object alone while its owners live",
    given: { owners: [owner("alive")] },
    want: { do: "nothing" },
  },
  {
    name: "deletes an object whose only owner is gone",
    given: { owners: [owner("absent")] },
    want: { do: "delete", propagation: "Background" },
  },
  {
    name: "drops dangling references while another owner lives",
    given: { owners: [owner("alive"), owner("absent")] },
    want: { do: "drop-references", uids: ["absent"] },
  },
  {
    name: "drops a waiting owner while another lives",
    given: { owners: [owner("alive"), owner("waiting")] },
    want: { do: "drop-references", uids: ["waiting"] },
  },
  {
    name: "deletes a leaf of a waiting owner in the background",
    given: { owners: [owner("waiting")] },
    want: { do: "delete", propagation: "Background" },
  },
  {
    name: "deletes a branch of a waiting owner in the foreground",
    given: { owners: [owner("waiting")], dependents: [child(true)] },
    want: { do: "delete", propagation: "Foreground" },
  },
  {
    name: "breaks a circle in which an owner and a dependent wait",
    given: { owners: [owner("waiting")], dependents: [child(true, true, true)] },
    want: { do: "delete", propagation: "Foreground", unblocksOwners: true },
  },
  {
    name: "keeps to the orphan finalizer an object already has",
    given: { metadata: { finalizers: ["orphan"] }, owners: [owner("absent")] },
    want: { do: "delete", propagation: "Orphan" },
  },
  {
    name: "keeps to the foreground finalizer an object already has",
    given: { metadata: { finalizers: ["foregroundDeletion"] }, owners: [owner("absent")] },
    want: { do: "delete", propagation: "Foreground" },
  },
  {
    name: "leaves an object alone that is being deleted",
    given: { metadata: deleting, owners: [owner("absent")] },
    want: { do: "nothing" },
  },
  {
    name: "orphans dependents when asked to",
    given: { metadata: { ...deleting, finalizers: ["orphan"] }, dependents: [child(true)] },
    want: { do: "orphan-dependents" },
  },
  {
    name: "removes the finalizer of an owner when nothing blocks it",
    given: { metadata: { ...deleting, finalizers: ["foregroundDeletion"] }, dependents: [child(false)] },
    want: { do: "remove-finalizer", finalizer: "foregroundDeletion" },
  },
  {
    name: "deletes the dependents of a waiting owner",
    given: { metadata: { ...deleting, finalizers: ["foregroundDeletion"] }, dependents: [child(true)] },
    want: { do: "delete-dependents" },
  },
  {
    name: "waits while all dependents are being deleted",
    given: { metadata: { ...deleting, finalizers: ["foregroundDeletion"] }, dependents: [child(true, true)] },
    want: { do: "nothing" },
  },
])("the garbage collector $name", ({ given, want }) => {
  expect(garbageActionFor(node(given))).toEqual(want);
});
