import {
  type Arbitrary,
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  dictionary,
  double,
  integer,
  oneof,
  property,
  record,
} from "fast-check";
import { test } from "vitest";
import type { Pod } from "../../api/generated/core-v1.ts";
import { compileLabelMap } from "../../api/labels/compile-label-selector.ts";
import { replicaSets } from "../../api/resources.ts";
import { claimOf } from "../../api/claim.ts";
import { availabilityRecheckAt, planReplicas } from "./plan-replicas.ts";
import { draftPod } from "./draft-pod.ts";
import type { ReplicaOwner } from "./replica-owner.ts";
import { isReported, replicaStatus } from "./replica-status.ts";
import { finish } from "../downscale/steps.ts";
import { sortClaimable } from "../gather/owned-objects.ts";

/** There, null, or not there at all: a server's answer may be any of these, but has the right type. */
function members(model: Readonly<Record<string, Arbitrary<unknown>>>) {
  const entries = Object.entries(model).map(([name, value]) => [name, oneof(value, constant(null))]);
  return record(Object.fromEntries(entries) as Record<string, Arbitrary<unknown>>, { requiredKeys: [] });
}

const word = constantFrom("", "web", "True", "Ready", "Running", "ReplicaFailure", "2026-01-01T00:00:00Z");
const labels = dictionary(constantFrom("app", "__proto__", "tier"), constantFrom("web", ""));
const count = oneof(integer(), double());
const reference = members({ apiVersion: word, kind: word, name: word, uid: word, controller: boolean() });
const metadata = members({
  name: word,
  namespace: word,
  uid: word,
  labels,
  ownerReferences: array(reference, { maxLength: 2 }),
  deletionTimestamp: word,
  generation: count,
});
const conditions = array(members({ type: word, status: word, lastTransitionTime: word, reason: word }), {
  maxLength: 2,
});
const stored = (spec: Arbitrary<unknown>, status: Arbitrary<unknown>) =>
  record({
    metadata,
    spec: oneof(spec, constant(null)),
    status: oneof(status, constant(null), constant(undefined)),
  });

const owners = stored(
  members({ replicas: count, minReadySeconds: count, template: members({ metadata, spec: members({}) }) }),
  members({ replicas: count, readyReplicas: count, availableReplicas: count, conditions }),
);
const podLists = array(stored(members({ nodeName: word }), members({ phase: word, conditions })), {
  maxLength: 4,
});

test("whatever is stored, deciding about it does not throw", () => {
  const selection = compileLabelMap({ app: "web" });
  assert(
    property(owners, podLists, (anyOwner, anyPods) => {
      const owner = anyOwner as unknown as ReplicaOwner;
      const active = anyPods as unknown as readonly Pod[];
      const managed = { kind: "failed", reason: "FailedCreate", message: "no" } as const;
      planReplicas({ owner, active, isExpecting: false });
      for (const pod of active) claimOf(pod, { owner, selection });
      finish(sortClaimable(active, { owner, selection }));
      isReported(owner, replicaStatus({ owner, active, managed, now: 0 }));
      availabilityRecheckAt({ owner, active, now: 0 });
      draftPod(owner, { resource: replicaSets, selection });
    }),
    { numRuns: 2000 },
  );
});
