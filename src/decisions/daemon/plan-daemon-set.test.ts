import { expect, test } from "vitest";
import { actionsOf, daemonState, decidedAt, type StateTraits, waitsOf } from "./daemon-state.cases.ts";
import { daemonPodDrafts } from "./draft-daemon-pod.ts";
import { idleReason, planDaemonSet } from "./plan-daemon-set.ts";

interface Row extends StateTraits {
  readonly name: string;
  readonly actions?: readonly string[];
  readonly waits?: readonly string[];
}

function expectRow({ actions = [], waits = [], ...state }: Row): void {
  const plan = planDaemonSet(daemonState(state));
  expect({ actions: actionsOf(plan), waits: waitsOf(plan) }).toEqual({ actions, waits });
}

const tainted = (effect: string) => ({ taints: [{ key: "dedicated", value: "gpu", effect }] });

test.for<Row>([
  {
    name: "a node without a Pod gets one",
    pods: "2n+",
    actions: ["create on 1: missing", "create on 3: missing"],
  },
  { name: "nothing while every node has its Pod", pods: "1n+ 2n+ 3n-", waits: ["3: new-not-available"] },
  { name: "a node selector that no node matches", set: { podSpec: { nodeSelector: { disk: "ssd" } } } },
  {
    name: "a node selector that one node matches",
    nodeTraits: { 2: { labels: { disk: "ssd" } } },
    set: { podSpec: { nodeSelector: { disk: "ssd" } } },
    actions: ["create on 2: missing"],
  },
  {
    name: "a node that no longer matches",
    pods: "2n+",
    set: { podSpec: { nodeSelector: { disk: "ssd" } } },
    actions: ["delete n2: not-eligible"],
  },
  {
    name: "a template that names a node",
    pods: "1n+",
    set: { podSpec: { nodeName: "3" } },
    actions: ["create on 3: missing", "delete n1: not-eligible"],
  },
  {
    name: "an untolerated NoSchedule taint on an empty node",
    nodes: 1,
    nodeTraits: { 1: tainted("NoSchedule") },
  },
  {
    name: "an untolerated NoSchedule taint on a node with a Pod",
    nodes: 1,
    nodeTraits: { 1: tainted("NoSchedule") },
    pods: "1n+",
  },
  {
    name: "an untolerated NoExecute taint",
    nodes: 1,
    nodeTraits: { 1: tainted("NoExecute") },
    pods: "1n+",
    actions: ["delete n1: not-eligible"],
  },
  {
    name: "a PreferNoSchedule taint",
    nodes: 1,
    nodeTraits: { 1: tainted("PreferNoSchedule") },
    actions: ["create on 1: missing"],
  },
  { name: "a Pod that has succeeded", nodes: 1, pods: "1nS", actions: ["delete n1: succeeded"] },
  { name: "a Pod that has failed", nodes: 1, pods: "1nF", actions: ["delete n1: failed"] },
  {
    name: "a terminating Pod",
    nodes: 1,
    pods: "1nT",
    waits: ["1: terminating"],
  },
  {
    name: "a Pod that has ended and is held by a finalizer",
    nodes: 1,
    pods: "1nE",
    actions: ["create on 1: missing"],
  },
  { name: "an unbound Pod of a lost node", nodes: 1, pods: "1n+ 7n?", actions: ["delete n7: no-node"] },
  { name: "a bound Pod of a lost node", nodes: 1, pods: "1n+ 7n+" },
])("DaemonSets manage nodes: $name", expectRow);

test("of several Pods on a node, the one that is bound and oldest stays", () => {
  const old = { pods: "1o+ 1n+ 1n?", nodes: 1 };
  const { pods, ...state } = daemonState(old);
  const created = ["2026-01-01T00:00:01Z", "2026-01-01T00:00:02Z", "2026-01-01T00:00:00Z"];
  const aged = pods.map((pod, index) => ({
    ...pod,
    metadata: { ...pod.metadata, creationTimestamp: created[index] ?? "" },
  }));
  const { deletions } = planDaemonSet({ ...state, pods: aged });
  expect(deletions.map(({ pod, because }) => [pod.metadata.name, because])).toEqual([
    ["n1", { kind: "duplicate", kept: "o1", rule: "older" }],
    ["n1b", { kind: "duplicate", kept: "o1", rule: "assigned" }],
  ]);
});

const updateOf = (maxUnavailable: number | string) => ({ set: { maxUnavailable } });
test.for<Row>([
  {
    name: "one after the other",
    pods: "1o+ 2o+ 3o+",
    actions: ["delete o1: outdated"],
    waits: ["2: budget", "3: budget"],
  },
  { name: "not while a node has no Pod", pods: "2o+ 3o+", actions: ["create on 1: missing"] },
  {
    name: "not while a new Pod is not available",
    pods: "1n- 2o+ 3o+",
    waits: ["1: new-not-available", "2: budget", "3: budget"],
  },
  {
    name: "not while a Pod is terminating",
    pods: "1oT 2o+ 3o+",
    waits: ["1: terminating", "2: budget", "3: budget"],
  },
  {
    name: "the next one once the new one is available",
    pods: "1n+ 2o+ 3o+",
    actions: ["delete o2: outdated"],
    waits: ["3: budget"],
  },
  {
    name: "three at once",
    nodes: 5,
    pods: "1o+ 2o+ 3o+ 4o+ 5o+",
    ...updateOf(3),
    actions: ["delete o1: outdated", "delete o2: outdated", "delete o3: outdated"],
    waits: ["4: budget", "5: budget"],
  },
  {
    name: "45% of five, which is three",
    nodes: 5,
    pods: "1o+ 2o+ 3o+ 4o+ 5o+",
    ...updateOf("45%"),
    actions: ["delete o1: outdated", "delete o2: outdated", "delete o3: outdated"],
    waits: ["4: budget", "5: budget"],
  },
  {
    name: "all that are not available, whatever the budget",
    nodes: 4,
    pods: "1o- 2o+ 3o- 4o+",
    ...updateOf(1),
    actions: ["delete o1: outdated-unavailable", "delete o3: outdated-unavailable"],
    waits: ["2: budget", "4: budget"],
  },
  { name: "none under OnDelete", pods: "1o+ 2o- 3o+", set: { strategy: "OnDelete" } },
  {
    name: "under OnDelete, what a user deletes",
    pods: "2o+ 3o+",
    set: { strategy: "OnDelete" },
    actions: ["create on 1: missing"],
  },
  {
    name: "none that is not an earlier revision",
    pods: "1n+ 2n+ 3n+",
  },
])("DaemonSets replace Pods of earlier revisions: $name", expectRow);

test("of many old Pods that are not available, the available ones wait for the budget", () => {
  const pods = Array.from({ length: 20 }, (_, index) => `${index + 1}o${index < 10 ? "-" : "+"}`).join(" ");
  const { deletions } = planDaemonSet(daemonState({ nodes: 20, pods, set: { maxUnavailable: 5 } }));
  expect(deletions).toHaveLength(10);
  expect(new Set(deletions.map(({ because }) => because.kind))).toEqual(new Set(["outdated-unavailable"]));
});

const surge = { set: { maxSurge: 1 } };
test.for<Row>([
  {
    name: "a second Pod on the first node",
    pods: "1o+ 2o+ 3o+",
    actions: ["create on 1: surge"],
    waits: ["2: surge-budget", "3: surge-budget"],
  },
  {
    name: "no more while that one is not available",
    pods: "1o+ 1n- 2o+ 3o+",
    waits: ["1: new-not-available", "2: surge-budget", "3: surge-budget"],
  },
  {
    name: "the old Pod goes once the new one is available",
    pods: "1o+ 1n+ 2o+ 3o+",
    actions: ["delete o1: superseded"],
  },
  {
    name: "the next node then",
    pods: "1n+ 2o+ 3o+",
    actions: ["create on 2: surge"],
    waits: ["3: surge-budget"],
  },
  {
    name: "an old Pod that is not Ready goes beside a new one",
    pods: "1o- 1n- 2n+ 3n+",
    actions: ["delete o1: old-not-ready"],
  },
  {
    name: "an old Pod that is not available gets a new one beside it, whatever the budget",
    pods: "1o- 2o- 3o+",
    actions: ["create on 1: replace-unavailable", "create on 2: replace-unavailable", "create on 3: surge"],
  },
  {
    name: "a terminating Pod alone gets another one beside it",
    pods: "1oT 2n+ 3n+",
    actions: ["create on 1: missing"],
  },
  {
    name: "a failed Pod that stays a while gets none",
    pods: "1nF 2n+ 3n+",
    more: {
      backoffs: { generation: 0, byNode: new Map([["1", { delayMs: 4000, since: decidedAt - 3000 }]]) },
    },
    waits: ["1: back-off"],
  },
  {
    name: "both stay until the new one is available",
    pods: "1o+ 1n+ 2n+ 3n+",
    set: { maxSurge: 1, minReadySeconds: 100_000 },
    waits: ["1: new-not-available"],
  },
  {
    name: "the third Pod of a node is one too many",
    pods: "1o+ 1n- 1nT 1n- 2n+ 3n+",
    actions: ["delete n1b: duplicate"],
  },
  {
    name: "a node that only keeps its Pod loses it as far as others are available",
    nodes: 5,
    nodeTraits: { 1: tainted("NoSchedule") },
    pods: "1o+ 2o+ 3o+ 4o+ 5o+",
    actions: ["create on 2: surge", "delete o1: sunset"],
    waits: ["3: surge-budget", "4: surge-budget", "5: surge-budget"],
  },
  {
    name: "a node that only keeps its Pod loses one that is not available",
    nodes: 2,
    nodeTraits: { 1: tainted("NoSchedule") },
    pods: "1o- 2n+",
    actions: ["delete o1: not-eligible"],
  },
  { name: "an old Pod on a lost node is left to the garbage collector", nodes: 1, pods: "1n+ 7o+ 8o-" },
])("DaemonSets with maxSurge: $name", (row) => expectRow({ ...surge, ...row }));

test("the status counts nodes by the Pod that is kept", () => {
  const nodeTraits = { 4: tainted("NoSchedule") };
  const status = {
    currentNumberScheduled: 0,
    numberMisscheduled: 0,
    desiredNumberScheduled: 0,
    numberReady: 0,
  };
  const set = { generation: 7, status: { ...status, observedGeneration: 6, collisionCount: 2 } };
  const state = daemonState({ nodes: 5, nodeTraits, pods: "1o+ 2n+ 3n- 4n+", set });
  const counted = {
    desiredNumberScheduled: 4,
    currentNumberScheduled: 3,
    numberReady: 2,
    numberAvailable: 2,
    numberUnavailable: 2,
    updatedNumberScheduled: 2,
    numberMisscheduled: 1,
    collisionCount: 2,
  };
  expect(planDaemonSet(state).status).toEqual({ ...counted, observedGeneration: 7 });
  const expecting = planDaemonSet({ ...state, isExpecting: true });
  expect(expecting.status).toEqual({ ...counted, observedGeneration: 6 });
  expect(actionsOf(expecting)).toEqual([]);
});

test("a sync creates and deletes no more than 250 Pods each", () => {
  const pods = Array.from({ length: 300 }, (_, index) => `${index + 1}nS`).join(" ");
  const { creations, deletions } = planDaemonSet(daemonState({ nodes: 600, pods }));
  expect([creations.length, deletions.length]).toEqual([250, 250]);
});

test.for([
  { name: "selects every Pod", set: { selector: {} }, want: "selects-everything" },
  { name: "is being deleted", set: { deletedAt: "2026-01-01T00:00:00Z" }, want: "being-deleted" },
  { name: "is neither", set: {}, want: undefined },
])("a DaemonSet that $name is idle: $want", ({ set, want }) => {
  expect(idleReason(daemonState({ set }).daemonSet)).toBe(want);
});

test("a Pod becomes available without an event, so the plan says when to look again", () => {
  const readyAt = (seconds: number) => decidedAt - seconds * 1000;
  const state = daemonState({ pods: "1n+ 2n+ 3n+", set: { minReadySeconds: 24 * 3600 } });
  // Ready ten seconds after the beginning of the day before.
  expect(planDaemonSet(state).recheckAt).toBe(readyAt(-10));
});

test("the draft of a Pod is pinned to its node and tolerates what daemon Pods tolerate", () => {
  const { daemonSet } = daemonState({ set: { podSpec: { hostNetwork: true } } });
  const draft = daemonPodDrafts(daemonSet, "n")("2");
  expect(draft.metadata).toMatchObject({
    generateName: "agent-",
    labels: { app: "web", "controller-revision-hash": "n" },
  });
  expect(draft.spec?.affinity).toEqual({
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["2"] }] }],
      },
    },
  });
  expect(draft.spec?.tolerations?.map(({ key, effect }) => `${key}:${effect}`)).toEqual([
    "node.kubernetes.io/not-ready:NoExecute",
    "node.kubernetes.io/unreachable:NoExecute",
    "node.kubernetes.io/disk-pressure:NoSchedule",
    "node.kubernetes.io/memory-pressure:NoSchedule",
    "node.kubernetes.io/pid-pressure:NoSchedule",
    "node.kubernetes.io/unschedulable:NoSchedule",
    "node.kubernetes.io/network-unavailable:NoSchedule",
  ]);
});
