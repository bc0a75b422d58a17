import { describe, expect, test } from "vitest";
import type {
  DaemonSetStatus,
  DeploymentStatus,
  StatefulSetSpec,
  StatefulSetStatus,
} from "../../api/generated/apps-v1.ts";
import { daemonSet } from "../../testing/daemon-set.ts";
import { deployment, type DeploymentTraits } from "../../testing/deployment.ts";
import { pod } from "../../testing/pod.ts";
import { replicaSet, type ReplicaSetTraits } from "../../testing/replica-set.ts";
import { statefulSet } from "../../testing/stateful-set.ts";
import { settlementOf } from "./settlement.ts";

const whole = { observedGeneration: 1, replicas: 3, updatedReplicas: 3, availableReplicas: 3 };
const waiting = (text: string) => ({ state: "waiting", for: text });

describe("a Deployment", () => {
  const late = [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" }];
  test.for<{ name: string; status?: DeploymentStatus; traits?: DeploymentTraits; want: object }>([
    { name: "that is rolled out has settled", want: { state: "settled" } },
    {
      name: "whose generation was not observed waits for its controller",
      status: { observedGeneration: 0 },
      want: waiting("its controller to see the newest generation"),
    },
    { name: "waits for updated Pods", status: { updatedReplicas: 1 }, want: waiting("1 of 3 Pods updated") },
    { name: "waits for old Pods to go", status: { replicas: 4 }, want: waiting("1 Pod too many to go") },
    {
      name: "waits for available Pods",
      status: { availableReplicas: 2 },
      want: waiting("2 of 3 Pods available"),
    },
    {
      name: "that is paused in its middle waits for a person",
      status: { updatedReplicas: 1 },
      traits: { paused: true },
      want: waiting("somebody to resume it: it is paused"),
    },
    {
      name: "whose deadline passed has failed",
      status: { updatedReplicas: 1, conditions: late },
      want: { state: "failed", because: "it exceeded its progress deadline" },
    },
  ])("$name", ({ status, traits, want }) => {
    const object = deployment("web", { ...traits, status: { ...whole, ...status } });
    expect(settlementOf({ kind: "Deployment", object }, [])).toEqual(want);
  });

  test("waits for its terminating Pods, where they are given, and not for those that have ended", () => {
    const object = deployment("web", { status: whole });
    const deletedAt = "2026-01-01T00:00:30Z";
    const going = ["d", "c", "b", "a"].map((name) => pod(name, { deletedAt }));
    const ended = pod("e", { deletedAt, phase: "Succeeded" });
    expect(settlementOf({ kind: "Deployment", object }, [pod("f"), ended, ...going])).toEqual(
      waiting("4 Pods still terminating: a, b, c and 1 more"),
    );
    expect(settlementOf({ kind: "Deployment", object }, [pod("f"), ended])).toEqual({ state: "settled" });
    expect(settlementOf({ kind: "Deployment", object }, undefined)).toEqual({ state: "settled" });
  });
});

test.for<{ traits: ReplicaSetTraits; want: object }>([
  { traits: {}, want: { state: "settled" } },
  { traits: { pods: 5 }, want: waiting("2 Pods too many to go") },
  { traits: { available: 0 }, want: waiting("0 of 3 Pods available") },
])("a ReplicaSet with $traits", ({ traits, want }) => {
  const object = replicaSet("web", { size: 3, ...traits });
  expect(settlementOf({ kind: "ReplicaSet", object }, [])).toEqual(want);
});

describe("a StatefulSet", () => {
  const updating = { currentRevision: "web-1", updateRevision: "web-2" };
  const partition = (ordinal: number): Partial<StatefulSetSpec> => ({
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: ordinal } },
  });
  test.for<{
    name: string;
    status?: Partial<StatefulSetStatus>;
    spec?: Partial<StatefulSetSpec>;
    want: object;
  }>([
    { name: "that is rolled out has settled", want: { state: "settled" } },
    { name: "waits for ready Pods", status: { readyReplicas: 1 }, want: waiting("1 of 3 Pods ready") },
    {
      name: "waits for updated Pods",
      status: { ...updating, updatedReplicas: 1 },
      want: waiting("1 of 3 Pods updated"),
    },
    {
      name: "waits only for ordinals from the partition",
      status: { ...updating, updatedReplicas: 1 },
      spec: partition(2),
      want: { state: "settled" },
    },
    {
      name: "that is updated by deleting Pods is not waited for",
      status: { ...updating, updatedReplicas: 0 },
      spec: { updateStrategy: { type: "OnDelete" } },
      want: { state: "settled" },
    },
  ])("$name", ({ status, spec, want }) => {
    const reported = {
      ...whole,
      readyReplicas: 3,
      currentRevision: "web-1",
      updateRevision: "web-1",
      ...status,
    };
    const object = statefulSet("web", { spec: spec ?? {}, status: reported });
    expect(settlementOf({ kind: "StatefulSet", object }, [])).toEqual(want);
  });
});

test.for<{ status: Partial<DaemonSetStatus>; strategy?: "OnDelete"; want: object }>([
  { status: {}, want: { state: "settled" } },
  { status: { updatedNumberScheduled: 1 }, want: waiting("1 of 2 Pods updated") },
  { status: { updatedNumberScheduled: 1 }, strategy: "OnDelete", want: { state: "settled" } },
  { status: { numberAvailable: 0 }, want: waiting("0 of 2 Pods available") },
])("a DaemonSet with $status, $strategy", ({ status, strategy, want }) => {
  const counts = { currentNumberScheduled: 2, numberMisscheduled: 0, numberReady: 2, numberAvailable: 2 };
  const reported = {
    ...counts,
    desiredNumberScheduled: 2,
    updatedNumberScheduled: 2,
    observedGeneration: 1,
    ...status,
  };
  const object = daemonSet("web", { status: reported, ...(strategy && { strategy }) });
  expect(settlementOf({ kind: "DaemonSet", object }, [])).toEqual(want);
});
