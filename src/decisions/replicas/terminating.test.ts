import { expect, test } from "vitest";
import type { Pod } from "../../api/generated/core-v1.ts";
import { compileLabelMap } from "../../api/labels/compile-label-selector.ts";
import { pod } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { countTerminating } from "./terminating.ts";

const deletedAt = "2026-01-01T01:00:00Z";
const our = "uid-of-rs";

test("only Pods that are the owner's, selected, ending and not ended count as terminating", () => {
  const claimant = { owner: replicaSet("rs"), selection: compileLabelMap({ app: "web" }) };
  const pods = [
    owned(pod("ending", { deletedAt }), our),
    owned(pod("ending-too", { deletedAt, phase: "Pending" }), our),
    owned(pod("running"), our),
    owned(pod("succeeded", { deletedAt, phase: "Succeeded" }), our),
    owned(pod("failed", { deletedAt, phase: "Failed" }), our),
    owned(pod("not-selected", { deletedAt, labels: { app: "strange" } }), our),
    owned(pod("of-another", { deletedAt }), "uid-of-other"),
    pod("orphan", { deletedAt }),
  ];
  expect(countTerminating(pods, claimant)).toBe(2);
});

function owned(base: Pod, uid: string): Pod {
  const reference = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "rs", uid, controller: true };
  return { ...base, metadata: { ...base.metadata, ownerReferences: [reference] } };
}
