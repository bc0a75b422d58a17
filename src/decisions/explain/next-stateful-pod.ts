import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { StatefulSet } from "../../api/generated/apps-v1.ts";
import type { PersistentVolumeClaim, Pod } from "../../api/generated/core-v1.ts";
import type { Draft } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import { gatherStateful } from "../gather/gather-stateful.ts";
import { claimsOfOrdinal } from "../stateful/claim.ts";
import { draftStatefulPod } from "../stateful/draft-stateful-pod.ts";
import { revisionFor, type StatefulView, statefulViewOf } from "../stateful/view.ts";
import { defaultClassOf } from "../volumes/storage-class.ts";
import type { ClusterObjects } from "./cluster-objects.ts";

/** The Pod that a StatefulSet creates next, and the claims that it creates before it. */
export interface NextStatefulPod {
  readonly pod: Draft<Pod>;
  readonly claims: readonly PersistentVolumeClaim[];
}

/** The Pod of the lowest ordinal without one, or else that which one more replica would bring. */
export function nextStatefulPod(set: StatefulSet, objects: ClusterObjects, now: Instant): NextStatefulPod {
  const state = gatherStateful(set, objects, { gates: defaultFeatureGates, now });
  const view = statefulViewOf(state);
  const index = firstMissing(view);
  const ordinal = view.range.start + index;
  const { missing } = claimsOfOrdinal(state, ordinal, []);
  return {
    pod: draftStatefulPod(set, ordinal, revisionFor(view, index).revision),
    claims: missing.map((draft) => admittedClaim(draft, objects)),
  };
}

function firstMissing({ range, members }: StatefulView): number {
  let index = 0;
  while (index < range.replicas && members.has(index)) index++;
  return index;
}

/** A claim as the API server would store it, as far as placement reads it. */
function admittedClaim(
  { metadata, spec }: Draft<PersistentVolumeClaim>,
  { storageClasses }: ClusterObjects,
): PersistentVolumeClaim {
  const storageClassName = spec?.storageClassName ?? defaultClassOf(storageClasses)?.metadata.name;
  return {
    metadata: { ...metadata, name: metadata.name ?? "", uid: "", resourceVersion: "" },
    spec: { ...spec, ...(storageClassName !== undefined && { storageClassName }) },
    status: { phase: "Pending" },
  };
}
