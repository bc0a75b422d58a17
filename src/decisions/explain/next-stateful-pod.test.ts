import { expect, test } from "vitest";
import type { PersistentVolumeClaim, Pod } from "../../api/generated/core-v1.ts";
import { pod } from "../../testing/pod.ts";
import { statefulSet, type StatefulSetTraits } from "../../testing/stateful-set.ts";
import { type ClusterObjects, noObjects } from "./cluster-objects.ts";
import { nextStatefulPod } from "./next-stateful-pod.ts";

const template = { metadata: { name: "data" }, spec: {} } as PersistentVolumeClaim;
const meta = (name: string) => ({ name, uid: `uid-of-${name}`, resourceVersion: "1", namespace: "default" });
const storageClasses = ["fast", "slow"].map((name) => ({
  metadata: {
    ...meta(name),
    annotations: { "storageclass.kubernetes.io/is-default-class": String(name === "fast") },
  },
  provisioner: "sim.trimtab.dev/volumes",
}));

interface Given {
  readonly set?: StatefulSetTraits;
  readonly members?: readonly string[];
  readonly claims?: readonly string[];
}

function next({ set: traits = {}, members = [], claims = [] }: Given) {
  const set = statefulSet("db", { ...traits, spec: { volumeClaimTemplates: [template], ...traits.spec } });
  const owner = { apiVersion: "apps/v1", kind: "StatefulSet", name: "db", uid: set.metadata.uid };
  const pods: readonly Pod[] = members.map((name) => pod(name, { owner }));
  const persistentVolumeClaims = claims.map((name) => ({ metadata: meta(name), spec: {} }));
  const objects: ClusterObjects = {
    ...noObjects,
    statefulSets: [set],
    pods,
    storageClasses,
    persistentVolumeClaims,
  };
  const { pod: drafted, claims: missing } = nextStatefulPod(set, objects, 0);
  return {
    pod: drafted.metadata.name,
    claims: missing.map(({ metadata, spec }) => `${metadata.name} of ${spec?.storageClassName}`),
  };
}

test.for<{ name: string; given: Given; want: ReturnType<typeof next> }>([
  {
    name: "of a new set is the first one, with a claim of the default class",
    given: {},
    want: { pod: "db-0", claims: ["data-db-0 of fast"] },
  },
  {
    name: "is that of the lowest ordinal that is missing",
    given: { members: ["db-0", "db-2"] },
    want: { pod: "db-1", claims: ["data-db-1 of fast"] },
  },
  {
    name: "of a complete set is the one that another replica would be",
    given: { set: { replicas: 1, spec: { ordinals: { start: 5 } } }, members: ["db-5"] },
    want: { pod: "db-6", claims: ["data-db-6 of fast"] },
  },
  {
    name: "uses the claims of its ordinal that exist",
    given: { members: ["db-0"], claims: ["data-db-1"] },
    want: { pod: "db-1", claims: [] },
  },
])("The next Pod $name", ({ given, want }) => {
  expect(next(given)).toEqual(want);
});
