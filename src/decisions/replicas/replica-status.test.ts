import { expect, test } from "vitest";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { parseTime } from "../../api/time.ts";
import { type PodTraits, pod } from "../../testing/pod.ts";
import { replicaSet, type ReplicaSetTraits } from "../../testing/replica-set.ts";
import type { ReplicaStatus } from "./replica-owner.ts";
import { isReported, replicaStatus } from "./replica-status.ts";

const now = parseTime("2026-01-01T01:00:00Z") ?? 0;
const hash = { "pod-template-hash": "web" };
const full: PodTraits = { labels: hash };

interface Case {
  readonly name: string;
  readonly owner?: ReplicaSetTraits;
  readonly pods: readonly PodTraits[];
  readonly terminating?: number;
  readonly isExpecting?: boolean;
  readonly want: Partial<ReplicaStatus>;
}

const cases: readonly Case[] = [
  {
    name: "counts Pods that have all labels of the template",
    pods: [full, full],
    want: { replicas: 2, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 2 },
  },
  {
    name: "leaves out how many are fully labelled when none is",
    pods: [{}, { labels: { "pod-template-hash": "other" } }],
    want: { replicas: 2, readyReplicas: 2, availableReplicas: 2 },
  },
  {
    name: "tells fully labelled Pods from others",
    pods: [full, {}],
    want: { replicas: 2, fullyLabeledReplicas: 1, readyReplicas: 2, availableReplicas: 2 },
  },
  {
    name: "does not count a Pod ready that is not",
    pods: [full, { ...full, ready: false }],
    want: { replicas: 2, fullyLabeledReplicas: 2, readyReplicas: 1, availableReplicas: 1 },
  },
  {
    name: "counts a ready Pod whatever its phase",
    pods: [{ ...full, phase: "Pending" }],
    want: { replicas: 1, fullyLabeledReplicas: 1, readyReplicas: 1, availableReplicas: 1 },
  },
  {
    name: "does not count a Pod available before its time",
    owner: { minReadySeconds: 3600 },
    pods: [{ ...full, readyAt: "2026-01-01T00:00:01Z" }],
    want: { replicas: 1, fullyLabeledReplicas: 1, readyReplicas: 1 },
  },
  {
    name: "counts a Pod available from the very second",
    owner: { minReadySeconds: 3600 },
    pods: [{ ...full, readyAt: "2026-01-01T00:00:00Z" }],
    want: { replicas: 1, fullyLabeledReplicas: 1, readyReplicas: 1, availableReplicas: 1 },
  },
  {
    name: "counts a Pod available that has been ready for long",
    owner: { minReadySeconds: 60 },
    pods: [{ ...full, readyAt: "2025-12-01T00:00:00Z" }],
    want: { replicas: 1, fullyLabeledReplicas: 1, readyReplicas: 1, availableReplicas: 1 },
  },
  {
    name: "does not count a Pod available that does not say since when it is ready",
    owner: { minReadySeconds: 1 },
    pods: [{ ...full, readyAt: null }],
    want: { replicas: 1, fullyLabeledReplicas: 1, readyReplicas: 1 },
  },
  { name: "says that there is no Pod", pods: [], want: { replicas: 0 } },
  {
    name: "says that no Pod is terminating",
    pods: [],
    terminating: 0,
    want: { replicas: 0, terminatingReplicas: 0 },
  },
  {
    name: "says how many Pods are terminating",
    pods: [],
    terminating: 2,
    want: { replicas: 0, terminatingReplicas: 2 },
  },
  {
    name: "says nothing about terminating Pods where that is not counted, whatever was said before",
    owner: { terminating: 3 },
    pods: [],
    want: { replicas: 0 },
  },
  {
    name: "observes the generation it was made for",
    owner: { generation: 7, observedGeneration: 6 },
    pods: [],
    want: { replicas: 0, observedGeneration: 7 },
  },
  {
    name: "does not observe a generation before it has seen what it did for the last one",
    owner: { generation: 7, observedGeneration: 6 },
    pods: [full],
    isExpecting: true,
    want: {
      replicas: 1,
      fullyLabeledReplicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
      observedGeneration: 6,
    },
  },
];

test.for(cases)("a status $name", ({ owner: traits = {}, pods, want, ...state }) => {
  const active = pods.map((podTraits, index) => pod(`web-${index}`, podTraits));
  const owner = replicaSet("web", traits);
  const status = replicaStatus({ ...state, owner, active, managed: { kind: "succeeded" }, now });
  expect(status).toEqual({ observedGeneration: 1, ...want });
});

test("a status keeps the conditions of others", () => {
  const conditions = [{ type: "Blessed", status: "True" }];
  const owner = replicaSet("web", { conditions });
  const status = replicaStatus({ owner, active: [], managed: { kind: "succeeded" }, now });
  expect(status.conditions).toEqual(conditions);
});

const reported: ReplicaStatus = {
  replicas: 1,
  readyReplicas: 1,
  terminatingReplicas: 0,
  observedGeneration: 1,
};

test.for<{ name: string; before?: ReplicaStatus; next: ReplicaStatus; want: boolean }>([
  { name: "the same status is reported already", before: reported, next: { ...reported }, want: true },
  { name: "a first status is not", next: { replicas: 0 }, want: false },
  { name: "another count is not", before: reported, next: { ...reported, readyReplicas: 2 }, want: false },
  {
    name: "a count of 0 that is written out is the same as an absent one",
    before: { ...reported, availableReplicas: 0 },
    next: reported,
    want: true,
  },
  {
    name: "an empty list of conditions is the same as an absent one",
    before: { ...reported, conditions: [] },
    next: reported,
    want: true,
  },
  {
    name: "0 terminating Pods are not the same as none reported",
    before: { replicas: 0 },
    next: { replicas: 0, terminatingReplicas: 0 },
    want: false,
  },
  {
    name: "no terminating Pods reported is not the same as 0",
    before: { replicas: 0, terminatingReplicas: 0 },
    next: { replicas: 0 },
    want: false,
  },
  {
    name: "another generation is not reported",
    before: reported,
    next: { ...reported, observedGeneration: 2 },
    want: false,
  },
  {
    name: "another condition is not reported",
    before: reported,
    next: { ...reported, conditions: [{ type: "ReplicaFailure", status: "True" }] },
    want: false,
  },
])("$name", ({ before, next, want }) => {
  const { status: _status, ...bare } = replicaSet("web");
  const owner: ReplicaSet = before === undefined ? bare : { ...bare, status: before };
  expect(isReported(owner, next)).toBe(want);
});
