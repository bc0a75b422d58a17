import { expect, test } from "vitest";
import type { StatefulSet, StatefulSetSpec } from "../../../../api/generated/apps-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import {
  contextWithout,
  problemsOf,
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

const mounting = {
  ...template,
  spec: { containers: [{ name: "app", image: "x", volumeMounts: [{ name: "data", mountPath: "/data" }] }] },
};
test.for<{ name: string; sent: Sent<StatefulSet>; want: string[] }>([
  { name: "is fine", sent: aSet(), want: [] },
  {
    name: "mounts its claims",
    sent: aSet({ template: mounting, volumeClaimTemplates: [{ metadata: { name: "data" } }] }),
    want: [],
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
