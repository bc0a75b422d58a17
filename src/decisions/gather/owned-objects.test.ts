import { expect, test } from "vitest";
import type { Pod } from "../../api/generated/core-v1.ts";
import { compileLabelMap } from "../../api/labels/compile-label-selector.ts";
import { pod } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { finish } from "../downscale/steps.ts";
import { sortClaimable } from "./owned-objects.ts";

const deletedAt = "2026-01-01T01:00:00Z";
const our = "uid-of-rs";

test("only Pods that the owner controls and selects, that are being deleted and not terminal, count as terminating", () => {
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
  const { ours, others, terminating } = finish(sortClaimable(pods, claimant));
  expect(terminating).toBe(2);
  expect(ours.map(({ metadata }) => metadata.name)).toEqual(["running"]);
  expect(others).toEqual([]);
});

function owned(base: Pod, uid: string): Pod {
  const reference = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "rs", uid, controller: true };
  return { ...base, metadata: { ...base.metadata, ownerReferences: [reference] } };
}

test("active Pods to be adopted or released are told from those that are the owner's and those that are not", () => {
  const claimant = { owner: replicaSet("rs"), selection: compileLabelMap({ app: "web" }) };
  const pods = [
    owned(pod("mine"), our),
    owned(pod("to-release", { labels: { app: "strange" } }), our),
    owned(pod("ended", { phase: "Failed", labels: { app: "strange" } }), our),
    owned(pod("of-another"), "uid-of-other"),
    pod("to-adopt"),
    pod("strange", { labels: { app: "strange" } }),
  ];
  const { ours, others } = finish(sortClaimable(pods, claimant));
  expect(ours.map(({ metadata }) => metadata.name)).toEqual(["mine"]);
  expect(others.map(({ metadata }) => metadata.name)).toEqual(["to-release", "to-adopt"]);
});
