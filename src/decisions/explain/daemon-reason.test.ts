import { expect, test } from "vitest";
import {
  daemonCreationReason,
  daemonDeletionReason,
  daemonWaitReason,
  refusalText,
} from "./daemon-reason.ts";
import type { DeletionReason } from "../daemon/daemon-action.ts";
import type { NodeRefusal } from "../daemon/node-eligibility.ts";
import { pod } from "../../testing/pod.ts";

const because = (reason: DeletionReason) => daemonDeletionReason({ node: "n1", because: reason });
const taint: NodeRefusal = { by: "taint", taint: { key: "gpu", effect: "NoExecute" } };
const budget = { limit: 2, used: 1 };

test.for<[DeletionReason, string]>([
  [
    { kind: "not-eligible", refusal: taint },
    "not-eligible: n1 should not run it: it does not tolerate the taint gpu:NoExecute",
  ],
  [{ kind: "duplicate", kept: "a", rule: "older" }, "duplicate: a is on n1 too, and is older"],
  [{ kind: "failed" }, "failed: it has ended on n1"],
  [{ kind: "no-node" }, "no-node: there is no node n1"],
  [{ kind: "outdated", budget }, "outdated: an earlier revision; 2 nodes may be unavailable, 1 is"],
  [
    { kind: "outdated-unavailable" },
    "outdated-unavailable: an earlier revision, and not available: no budget is needed",
  ],
  [{ kind: "superseded", by: "b" }, "superseded: b, of the current revision, is available on n1"],
  [{ kind: "old-not-ready", beside: "b" }, "old-not-ready: an earlier revision, not Ready beside b"],
  [
    { kind: "sunset", available: 5, desired: 4, refusal: taint },
    "sunset: n1 gets no new Pod: it does not tolerate the taint gpu:NoExecute; 5 are available, and 4 wanted",
  ],
])("the reason of a deletion: %o", ([reason, want]) => {
  expect(because(reason)).toBe(want);
});

test("creations and waits have sentences too", () => {
  expect(daemonCreationReason({ kind: "surge", old: "a", budget })).toBe(
    "surge: next to a, of an earlier revision; 2 nodes may be surging, 1 is",
  );
  expect(daemonCreationReason({ kind: "replace-unavailable", old: "a" })).toBe(
    "replace-unavailable: a, of an earlier revision, is not available: no budget is needed",
  );
  expect(daemonWaitReason({ kind: "back-off", pod: pod("a").metadata.name, until: 0 })).toBe(
    "back-off: a has failed, and is replaced at 1970-01-01T00:00:00Z",
  );
  expect(daemonWaitReason({ kind: "surge-budget", pod: "a", budget })).toBe(
    "surge-budget: a is of an earlier revision; 2 nodes may be surging, 1 is",
  );
});

test.for<[NodeRefusal, string]>([
  [{ by: "node-name", nodeName: "n2" }, "its template names node n2"],
  [
    {
      by: "affinity",
      terms: [
        { matchExpressions: [{ key: "zone", operator: "In", values: ["a", "b"] }] },
        { matchExpressions: [{ key: "gpu", operator: "Exists" }] },
      ],
    },
    "the node does not match its node affinity (zone In a,b, or gpu Exists)",
  ],
])("a refused node: %o", ([refusal, want]) => {
  expect(refusalText(refusal)).toBe(want);
});
