import * as fc from "fast-check";
import { defaultFeatureGates, type FeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Facts } from "./facts.ts";

/** 2026-03-01T12:00:00Z. */
export const now = 1_772_366_400_000;

const times = [
  "2026-03-01T11:59:59Z",
  "2026-03-01T11:59:30Z",
  "2026-03-01T11:00:00Z",
  "2026-03-01T10:30:00Z",
  "2026-02-01T00:00:00Z",
];
const strangeTimes = ["2026-03-01T13:00:00Z", "", "yesterday", "2026-02-30T00:00:00Z", null, undefined, 7];

/** Mostly the few values that make ties likely, now and then one that should not be there at all. */
function oftenOf(usual: readonly unknown[], strange: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...usual) }, fc.constantFrom(...strange));
}

const time = oftenOf(times, strangeTimes);
const containerStatus = oftenOf(
  [
    { name: "app", restartCount: 0 },
    { name: "app", restartCount: 3 },
    { name: "sidecar", restartCount: 1 },
  ],
  [null, {}, { name: null, restartCount: "3" }, { name: "app", restartCount: Number.NaN }],
);
const containerStatuses = fc.oneof(
  { weight: 8, arbitrary: fc.array(containerStatus, { maxLength: 2 }) },
  fc.constantFrom(null, undefined),
);
const readyCondition = fc.record(
  {
    type: fc.constant("Ready"),
    status: oftenOf(["True"], ["False", "Unknown", null]),
    lastTransitionTime: time,
  },
  { requiredKeys: ["type"] },
);

const metadata = fc.record({
  name: fc.constantFrom("a", "b", "c", "d", "e", "f"),
  uid: fc.uuid(),
  creationTimestamp: time,
  labels: oftenOf([undefined, { "kubernetes.io/prefer-for-scale-down": "" }], [null, {}]),
  annotations: oftenOf(
    [undefined, { "controller.kubernetes.io/pod-deletion-cost": "-5" }],
    [null, { "controller.kubernetes.io/pod-deletion-cost": "dear" }],
  ),
});
const spec = fc.record({
  nodeName: oftenOf(["node-1", "node-2"], ["", null, undefined]),
  initContainers: oftenOf([undefined, [{ name: "sidecar", restartPolicy: "Always" }]], [null, [null]]),
});
const status = fc.record({
  phase: oftenOf(["Running"], ["Pending", "Unknown", "Succeeded", "Dreaming", "", null, undefined]),
  conditions: fc.oneof(
    { weight: 8, arbitrary: fc.tuple(readyCondition) },
    fc.constantFrom(null, undefined, [], [{ type: "PodScheduled", status: "True" }], [null]),
  ),
  containerStatuses,
  initContainerStatuses: containerStatuses,
});

/** Pods of all sorts, with the members the API server always fills in; every UID is another. */
export const anyPods: fc.Arbitrary<readonly Pod[]> = fc
  .uniqueArray(
    fc.record({
      metadata,
      spec: fc.oneof({ weight: 20, arbitrary: spec }, fc.constantFrom(null, undefined)),
      status: fc.oneof({ weight: 20, arbitrary: status }, fc.constantFrom(null, undefined)),
    }),
    { maxLength: 12, selector: (pod) => pod.metadata.uid },
  )
  .map((pods) => pods as unknown as readonly Pod[]);

/** Things that are hardly Pods. */
export const anyWrecks: fc.Arbitrary<readonly Pod[]> = fc
  .array(fc.constantFrom({}, { metadata: {} }, { metadata: null, spec: [], status: { conditions: {} } }), {
    maxLength: 5,
  })
  .map((wrecks) => wrecks as unknown as readonly Pod[]);

const gates: fc.Arbitrary<FeatureGates> = fc
  .record({
    PodDeletionCost: fc.boolean(),
    PreferForScaleDownLabel: fc.boolean(),
    LogarithmicScaleDown: fc.boolean(),
    DownscalePodPicker: fc.boolean(),
  })
  .map((chosen) => ({ ...defaultFeatureGates, ...chosen }));

const names = fc.uniqueArray(fc.constantFrom("a", "b", "c")).map((list) => new Set(list));

/** Facts with every combination of gates, with and without a picker's answer, and counts that follow the names. */
export const anyFacts: fc.Arbitrary<Facts> = fc
  .record({
    gates,
    now: fc.oneof(
      { weight: 8, arbitrary: fc.constant(now) },
      fc.constantFrom(0, Number.NaN, Infinity, -Infinity),
    ),
    counts: fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.constantFrom(0, 1, 2, Number.NaN)),
    picks: fc.option(fc.record({ chosen: names, tied: names }), { nil: undefined }),
  })
  .map(({ counts, picks, ...facts }) => ({
    ...facts,
    related: (pod) => counts[pod.metadata?.name] ?? 0,
    ...(picks === undefined ? {} : { picks }),
  }));
