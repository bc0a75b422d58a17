import { expect, test } from "vitest";
import { ago, podsUsing, measured, type MeasuredTraits, testTime } from "./autoscaler-fixture.cases.ts";
import { type PodTarget, replicasFromPods } from "./replicas-from-pods.ts";

const tolerances = { up: 0.1, down: 0.1 };

test.for<{
  name: string;
  pods: readonly MeasuredTraits[];
  target?: PodTarget;
  current?: number;
  tolerances?: { readonly up: number; readonly down: number };
  want: object;
}>([
  // The worked examples of the documentation: 200m for 100m is twice as many Pods, 50m half as many.
  {
    name: "doubles for twice the target",
    pods: podsUsing(3, 200),
    target: { kind: "average", milli: 100 },
    want: { replicas: 6, average: 200, because: { rule: "usage", ratio: 2, measured: 3 } },
  },
  {
    name: "halves for half of the target",
    pods: podsUsing(4, 50),
    target: { kind: "average", milli: 100 },
    want: { replicas: 2, average: 50 },
  },
  { name: "rounds up", pods: podsUsing(3, 700), want: { replicas: 5, utilization: 70 } },
  {
    name: "changes nothing within a tenth",
    pods: podsUsing(10, 550),
    want: { replicas: 10, because: { rule: "within-tolerance", ratio: 1.1 } },
  },
  { name: "changes something beyond it", pods: podsUsing(10, 560), want: { replicas: 12 } },
  {
    name: "tolerates less where it is told to",
    pods: podsUsing(10, 530),
    tolerances: { up: 0.05, down: 0.5 },
    want: { replicas: 11 },
  },
  {
    name: "tolerates more in the other direction",
    pods: podsUsing(10, 260),
    tolerances: { up: 0.05, down: 0.5 },
    want: { replicas: 10 },
  },
  {
    name: "takes a share of what all Pods request together",
    pods: [
      { milli: 300, request: 100 },
      { milli: 0, request: 500 },
    ],
    want: { replicas: 2, utilization: 50 },
  },
  {
    name: "leaves Pods out that end or have failed",
    pods: [...podsUsing(2, 1000), { milli: 0, deletedAt: ago(5) }, { milli: 0, phase: "Failed" }],
    want: { replicas: 4, because: { rule: "usage", measured: 2 } },
  },
  {
    name: "counts Pending Pods as idle on the way up",
    pods: [...podsUsing(2, 1000), { phase: "Pending", ready: false }, { phase: "Pending", ready: false }],
    want: { replicas: 4, because: { rule: "assumed-usage-within-tolerance", unready: 2 } },
  },
  {
    name: "counts Pending Pods not at all on the way down",
    pods: [...podsUsing(4, 250), { phase: "Pending", ready: false }],
    want: { replicas: 2, because: { rule: "usage", measured: 4, unready: 1 } },
  },
  {
    name: "counts a Pod that has just become ready as idle, as far as CPU is concerned",
    pods: [...podsUsing(2, 1000), { milli: 1000, startedAt: ago(60), readyAt: ago(10) }],
    want: { replicas: 4, because: { rule: "assumed-usage", unready: 1 } },
  },
  {
    name: "takes the CPU use of a Pod whose start is one measurement past",
    pods: [...podsUsing(2, 1000), { milli: 1000, startedAt: ago(60), readyAt: ago(15) }],
    want: { replicas: 6, because: { measured: 3, unready: 0 } },
  },
  {
    name: "leaves a Pod out that has never been ready",
    pods: [...podsUsing(2, 250), { milli: 0, ready: false, startedAt: ago(600), readyAt: ago(590) }],
    want: { replicas: 1, because: { measured: 2, unready: 1 } },
  },
  {
    name: "takes a Pod that was ready once",
    pods: [...podsUsing(2, 250), { milli: 250, ready: false, startedAt: ago(600), readyAt: ago(500) }],
    want: { replicas: 2, because: { measured: 3 } },
  },
  {
    name: "counts Pods without metrics as idle on the way up",
    pods: [...podsUsing(3, 1000), {}],
    want: { replicas: 6, because: { rule: "assumed-usage", missing: 1 } },
  },
  {
    name: "counts Pods without metrics as busy on the way down",
    pods: [...podsUsing(9, 100), {}],
    want: { replicas: 4, because: { rule: "assumed-usage", missing: 1 } },
  },
  {
    name: "counts them as using the target where that is a value",
    pods: [...podsUsing(3, 50), {}],
    target: { kind: "average", milli: 100 },
    want: { replicas: 3, because: { rule: "assumed-usage" } },
  },
  {
    name: "does not scale up because of what it assumes",
    pods: [...podsUsing(2, 400), {}, {}],
    want: { replicas: 4, because: { rule: "direction-would-change" } },
  },
  {
    name: "does not scale down because of what it assumes",
    pods: [...podsUsing(1, 600), {}, {}, {}],
    want: { replicas: 4, because: { rule: "direction-would-change" } },
  },
  {
    name: "has nothing to go by without Pods",
    pods: [],
    want: { problem: "no pods returned by selector while calculating replica count" },
  },
  {
    name: "has nothing to go by without metrics",
    pods: [{}, {}],
    want: { problem: "did not receive metrics for targeted pods (pods might be unready)" },
  },
  {
    name: "needs requests",
    pods: [{ milli: 100, request: null }],
    want: { problem: "missing request for cpu in container app of Pod pod-0" },
  },
  {
    name: "needs the requests of Pods that end, too",
    pods: [...podsUsing(2, 1000), { request: null, deletedAt: ago(5) }],
    want: { problem: "missing request for cpu in container app of Pod pod-2" },
  },
  {
    name: "needs more than nothing requested",
    pods: [{ milli: 100, request: 0 }],
    want: { problem: "no metrics returned matched known pods" },
  },
])(
  "replicasFromPods $name",
  ({ pods: traits, target = { kind: "utilization", percent: 50 }, want, ...rest }) => {
    const { pods, samples } = measured(...traits);
    const state = {
      pods,
      samples,
      target,
      resource: "cpu",
      currentReplicas: rest.current ?? pods.length,
      now: testTime,
    };
    expect(replicasFromPods({ ...state, tolerances: rest.tolerances ?? tolerances })).toMatchObject(want);
  },
);
