import * as fc from "fast-check";
import { test } from "vitest";
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from "../../api/generated/core-v1.ts";
import type { StorageClass } from "../../api/generated/storage-v1.ts";
import { planClaim } from "./plan-claim.ts";
import { planExpansion } from "./plan-expansion.ts";
import { planVolume } from "./plan-volume.ts";
import { claimsOfPod, foreignClaimProblem } from "./pod-claims.ts";
import { defaultClassOf } from "./storage-class.ts";

const anything = fc.constantFrom<unknown>(
  undefined,
  null,
  7,
  "",
  "a",
  "1Gi",
  [],
  ["a"],
  [null],
  {},
  { name: "a" },
);
const members = (model: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record(model, { requiredKeys: [] });
const orAnything = (arbitrary: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 4, arbitrary }, { weight: 1, arbitrary: anything });

const metadata = fc.record({
  name: fc.constantFrom("a", "data-web-1"),
  uid: fc.constantFrom("a", "b"),
  namespace: fc.constantFrom("default", undefined),
  labels: anything,
  annotations: orAnything(
    members({
      "pv.kubernetes.io/bind-completed": fc.constant("yes"),
      "pv.kubernetes.io/provisioned-by": fc.constant("sim.trimtab.dev/volumes"),
      "volume.kubernetes.io/selected-node": anything,
    }),
  ),
  finalizers: anything,
  ownerReferences: anything,
  deletionTimestamp: fc.constantFrom(undefined, "2026-01-01T00:00:00Z"),
});
const sizes = orAnything(members({ storage: anything }));
const reference = orAnything(members({ name: anything, namespace: anything, uid: anything }));
const claims = fc.record({
  metadata,
  spec: members({
    volumeName: anything,
    storageClassName: anything,
    accessModes: anything,
    volumeMode: anything,
    selector: orAnything(members({ matchLabels: anything, matchExpressions: anything })),
    resources: orAnything(members({ requests: sizes })),
  }),
  status: orAnything(members({ phase: anything, capacity: sizes })),
});
const volumes = fc.record({
  metadata,
  spec: members({
    claimRef: reference,
    capacity: sizes,
    accessModes: anything,
    storageClassName: anything,
    persistentVolumeReclaimPolicy: fc.constantFrom("Delete", "Retain", undefined),
    csi: anything,
  }),
  status: orAnything(members({ phase: fc.constantFrom("Available", "Bound", "Failed") })),
});
const classes = fc.record({
  metadata,
  provisioner: fc.constantFrom("sim.trimtab.dev/volumes", "kubernetes.io/no-provisioner", ""),
  volumeBindingMode: anything,
  allowedTopologies: orAnything(
    fc.array(orAnything(members({ matchLabelExpressions: anything })), { maxLength: 2 }),
  ),
});

const claim = claims as unknown as fc.Arbitrary<PersistentVolumeClaim>;
const volume = volumes as unknown as fc.Arbitrary<PersistentVolume>;
const storageClass = classes as unknown as fc.Arbitrary<StorageClass>;
const node = fc.record({ metadata }) as unknown as fc.Arbitrary<Node>;
const pod = fc.record({
  metadata,
  spec: members({
    volumes: orAnything(
      fc.array(members({ persistentVolumeClaim: anything, ephemeral: anything }), { maxLength: 2 }),
    ),
  }),
}) as unknown as fc.Arbitrary<Pod>;
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

test("plans for claims and volumes of any content never throw", () => {
  const state = fc.record({
    claim,
    named: maybe(volume),
    reserved: maybe(volume),
    available: fc.array(volume, { maxLength: 3 }),
    storageClass: maybe(storageClass),
    defaultClass: maybe(storageClass),
    waitingPods: fc.array(fc.constant("web"), { maxLength: 2 }),
    nodes: fc.array(node, { maxLength: 2 }),
    selectedNode: maybe(node),
  });
  fc.assert(
    fc.property(state, pod, (given, user) => {
      planClaim(given);
      planVolume({ volume: given.named ?? { metadata: given.claim.metadata, spec: {} }, claim: given.claim });
      planExpansion(given.claim, given.named);
      claimsOfPod(user);
      foreignClaimProblem(given.claim, user);
      defaultClassOf([given.storageClass, given.defaultClass].filter((each) => each !== undefined));
    }),
    { numRuns: 2000 },
  );
});
