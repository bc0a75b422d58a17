import { expect, test } from "vitest";
import type { StatefulSet, StatefulSetSpec } from "../../../../api/generated/apps-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import {
  contextWithout,
  problemsOf,
  problemsOfStatus,
  problemsOfUpdate,
  selector,
  template,
} from "../workload/workload-fixture.cases.ts";
import { statefulSetStrategy } from "./strategy.ts";

const aSet = (spec: Sent<StatefulSetSpec> = {}): Sent<StatefulSet> => ({
  metadata: { name: "db" },
  spec: { selector, template, ...spec },
});

test("a StatefulSet has its defaults", () => {
  const claim = { metadata: { name: "data" }, spec: {} };
  expect(statefulSetStrategy.defaults?.(aSet({ volumeClaimTemplates: [claim] })).spec).toMatchObject({
    replicas: 1,
    podManagementPolicy: "OrderedReady",
    revisionHistoryLimit: 10,
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
    persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
    volumeClaimTemplates: [
      {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        spec: { volumeMode: "Filesystem" },
        status: { phase: "Pending" },
      },
    ],
  });
});

const dataClaim = {
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};
const updatedBy = (maxUnavailable: number | string) =>
  aSet({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable } } });

const mounting = {
  ...template,
  spec: { containers: [{ name: "app", image: "x", volumeMounts: [{ name: "data", mountPath: "/data" }] }] },
};
test.for<{ name: string; sent: Sent<StatefulSet>; want: string[] }>([
  { name: "is fine", sent: aSet(), want: [] },
  {
    name: "mounts its claims",
    sent: aSet({ template: mounting, volumeClaimTemplates: [dataClaim] }),
    want: [],
  },
  {
    name: "has claim templates that are claims",
    sent: aSet({ volumeClaimTemplates: [{ metadata: { name: "data" } }] }),
    want: [
      "spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required",
      "spec.volumeClaimTemplates[0].spec.resources[storage]: Required value",
    ],
  },
  {
    name: "has ordinals from 0 on",
    sent: aSet({ ordinals: { start: -1 } }),
    want: ["spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0"],
  },
  {
    name: "retains claims or deletes them",
    sent: aSet({ persistentVolumeClaimRetentionPolicy: { whenDeleted: "Keep" } }),
    want: [
      'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Keep": supported values: "Delete", "Retain"',
    ],
  },
  ...[0, "0%"].map((maxUnavailable) => ({
    name: `is updated, not by ${maxUnavailable} at a time`,
    sent: updatedBy(maxUnavailable),
    want: [
      `spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: ${JSON.stringify(maxUnavailable)}: cannot be 0`,
    ],
  })),
  {
    name: "has at most all Pods unavailable",
    sent: updatedBy("101%"),
    want: [
      'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
    ],
  },
  {
    name: "mounts nothing else",
    sent: aSet({ template: mounting }),
    want: ['spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"'],
  },
  {
    name: "does not select everything",
    sent: aSet({ selector: {} }),
    want: ["spec.selector: Invalid value: {}: empty selector is invalid for statefulset"],
  },
  {
    name: "has a known policy",
    sent: aSet({ podManagementPolicy: "Random" }),
    want: ["spec.podManagementPolicy: Invalid value: \"Random\": must be 'OrderedReady' or 'Parallel'"],
  },
])("a StatefulSet $name", ({ sent, want }) => {
  expect(problemsOf(statefulSetStrategy, sent)).toEqual(want);
});

test("a StatefulSet may grow, but not become another one", () => {
  expect(problemsOfUpdate(statefulSetStrategy, aSet({ replicas: 3 }), aSet({ replicas: 1 }))).toEqual([]);
  expect(
    problemsOfUpdate(statefulSetStrategy, aSet({ serviceName: "b" }), aSet({ serviceName: "a" })),
  ).toEqual([
    "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
  ]);
});

test("claims for a fraction of a byte, and a negative number of revisions, are warned about", () => {
  const claim = { metadata: { name: "data" }, spec: { resources: { requests: { storage: "1m" } } } };
  const set = aSet({ volumeClaimTemplates: [claim], revisionHistoryLimit: -1 });
  expect(statefulSetStrategy.warnings?.(set, contextWithout())).toEqual([
    'spec.volumeClaimTemplates[0].resources.requests[storage]: fractional byte value "1m" is invalid, must be an integer',
    "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended",
  ]);
});

test("a type without a block leaves the block absent", () => {
  const given = aSet({ updateStrategy: { type: "RollingUpdate" } });
  expect(statefulSetStrategy.defaults?.(given).spec?.updateStrategy).toEqual({ type: "RollingUpdate" });
});

test.for([
  { name: "dropped while its gate is off", gate: false, stored: undefined, want: undefined },
  { name: "kept where it is stored already", gate: false, stored: 2, want: 2 },
  { name: "kept while its gate is on", gate: true, stored: undefined, want: 2 },
])("maxUnavailable is $name", ({ gate, stored, want }) => {
  const context = { now: 0, gates: { ...contextWithout().gates, MaxUnavailableStatefulSet: gate } };
  const prepared =
    stored === undefined
      ? statefulSetStrategy.prepareForCreate?.(updatedBy(2), context)
      : statefulSetStrategy.prepareForUpdate?.({ next: updatedBy(2), previous: updatedBy(stored) }, context);
  expect(prepared?.spec?.updateStrategy?.rollingUpdate?.maxUnavailable).toBe(want);
});

test("maxUnavailable is 1 by default while its gate is on", () => {
  const context = { now: 0, gates: { ...contextWithout().gates, MaxUnavailableStatefulSet: true } };
  const given = statefulSetStrategy.defaults?.(aSet()) ?? aSet();
  const prepared = statefulSetStrategy.prepareForCreate?.(given, context);
  expect(prepared?.spec?.updateStrategy?.rollingUpdate).toEqual({ partition: 0, maxUnavailable: 1 });
});

test("no more Pods are available than ready", () => {
  const status = { replicas: 2, readyReplicas: 1, availableReplicas: 2 };
  expect(problemsOfStatus(statefulSetStrategy, { ...aSet(), status }, aSet())).toEqual([
    "status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas",
  ]);
});
