import { expect, test } from "vitest";
import type { StoredObject } from "../../src/api/object.ts";
import { pod } from "../../src/testing/pod.ts";
import type { WatchedKind } from "../live/kinds.ts";
import { decisionIn } from "./decision-marks.ts";

const deleted = { deletedAt: "2026-01-01T00:00:00Z" };
const sized = (replicas: number) => ({ ...pod("rs"), spec: { replicas } }) as StoredObject;

test.for<{
  name: string;
  kind?: WatchedKind;
  before?: StoredObject;
  after?: StoredObject;
  want: string | undefined;
}>([
  { name: "a Pod gets a node", before: pod("a", { node: null }), after: pod("a"), want: "placement" },
  { name: "a Pod becomes ready", before: pod("a", { ready: false }), after: pod("a"), want: undefined },
  { name: "a Pod is being deleted", before: pod("a"), after: pod("a", deleted), want: "removal" },
  { name: "a Pod goes on ending", before: pod("a", deleted), after: pod("a", deleted), want: undefined },
  { name: "a Pod is gone", before: pod("a", deleted), want: undefined },
  { name: "a revision grows", kind: "replicaSets", before: sized(1), after: sized(2), want: "resize" },
  { name: "a revision reports", kind: "replicaSets", before: sized(2), after: sized(2), want: undefined },
])("$name", ({ kind = "pods", before, after, want }) => {
  expect(decisionIn({ kind, key: "default/a", before, after })).toBe(want);
});
