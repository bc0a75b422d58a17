import {
  anything,
  array,
  assert,
  constant,
  constantFrom,
  dictionary,
  integer,
  oneof,
  property,
  record,
} from "fast-check";
import { test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { planStatefulSet } from "./plan-stateful-set.ts";
import { stateOf } from "./stateful-state.cases.ts";
import type { StatefulState } from "./state.ts";

const name = constantFrom("web", "web-0", "web-1", "web-01", "web-2147483648", "", "data");
const labels = dictionary(constantFrom("app", "controller-revision-hash"), constantFrom("web", "R1"));
const metadata = oneof(
  record({ name, labels, ownerReferences: anything() }, { requiredKeys: ["name"] }),
  anything(),
);
const pods = array(
  oneof(
    record({
      metadata,
      spec: anything(),
      status: oneof(
        record({ phase: constantFrom("Running", "Failed"), conditions: anything() }),
        constant(undefined),
      ),
    }),
    anything(),
  ),
  { maxLength: 4 },
);
const specs = record(
  {
    replicas: oneof(integer({ min: -2, max: 5 }), anything()),
    ordinals: oneof(record({ start: anything() }), constant(undefined)),
    template: oneof(record({ metadata: anything(), spec: anything() }), anything()),
    updateStrategy: oneof(
      record({
        type: constantFrom("OnDelete", "RollingUpdate"),
        rollingUpdate: oneof(
          record({ partition: anything(), maxUnavailable: anything() }),
          constant(undefined),
        ),
      }),
      constant(undefined),
    ),
    podManagementPolicy: constantFrom("Parallel", "OrderedReady", ""),
    volumeClaimTemplates: oneof(array(oneof(record({ metadata }), anything()), { maxLength: 2 }), anything()),
    minReadySeconds: anything(),
    revisionHistoryLimit: anything(),
    persistentVolumeClaimRetentionPolicy: oneof(record({ whenScaled: anything() }), constant(undefined)),
  },
  { requiredKeys: [] },
);
const revisions = array(oneof(record({ metadata, data: anything(), revision: anything() }), anything()), {
  maxLength: 3,
});

test("whatever is stored, a plan is made without an exception", () => {
  const good = stateOf({});
  assert(
    property(specs, pods, revisions, (spec, anyPods, anyRevisions) => {
      const state = {
        ...good,
        set: { ...good.set, spec },
        pods: anyPods,
        revisions: anyRevisions,
        gates: { ...defaultFeatureGates, MaxUnavailableStatefulSet: anyPods.length > 2 },
      } as unknown as StatefulState;
      planStatefulSet(state).statusAfter(1);
    }),
    { numRuns: 1000 },
  );
});
