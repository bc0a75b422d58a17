import type { FeatureGates } from "../../api/feature-gates.ts";
import type { ControllerRevision, StatefulSet } from "../../api/generated/apps-v1.ts";
import type { PersistentVolumeClaim, Pod } from "../../api/generated/core-v1.ts";
import type { StoredObject } from "../../api/object.ts";
import { isControlledBy } from "../../api/owner-references.ts";
import type { Instant } from "../../api/time.ts";
import { revisionDataOf } from "../revisions/revision-data.ts";
import { sortedRevisions } from "../revisions/revision-history.ts";
import { ordinalOf } from "../stateful/ordinal.ts";
import type { StatefulState } from "../stateful/state.ts";

/** The objects of a cluster that a plan for a StatefulSet depends on. */
export interface StatefulObjects {
  readonly pods: readonly Pod[];
  readonly controllerRevisions: readonly ControllerRevision[];
  readonly persistentVolumeClaims: readonly PersistentVolumeClaim[];
}

/** Gathers what a plan for a StatefulSet depends on; claims that could not be read count as not there. */
export function gatherStateful(
  set: StatefulSet,
  { pods, controllerRevisions, persistentVolumeClaims }: StatefulObjects,
  { gates, now }: { readonly gates: FeatureGates; readonly now: Instant },
): StatefulState {
  const isOurs = (object: StoredObject) => isControlledBy(object, set.metadata.uid);
  return {
    set,
    pods: pods.filter((pod) => isOurs(pod) && ordinalOf(set, pod) !== undefined),
    revisions: withData(controllerRevisions.filter(isOurs), set),
    claims: claimsIn(persistentVolumeClaims, set.metadata.namespace),
    gates,
    now,
  };
}

function claimsIn(
  claims: readonly PersistentVolumeClaim[],
  namespace: string | undefined,
): StatefulState["claims"] {
  const own = claims.filter(({ metadata }) => metadata.namespace === namespace);
  return new Map(own.map((claim) => [claim.metadata.name, claim]));
}

const otherTemplate = revisionDataOf({ spec: { containers: [] } });

/** Snapshots lack the data of revisions: the update revision of the status is taken as the template's. */
function withData(
  revisions: readonly ControllerRevision[],
  { spec, status }: StatefulSet,
): readonly ControllerRevision[] {
  if (revisions.some(({ data }) => data !== undefined)) return revisions;
  const newest = status?.updateRevision ?? sortedRevisions(revisions).at(-1)?.metadata.name;
  return revisions.map((revision) => ({
    ...revision,
    data: revision.metadata.name === newest ? revisionDataOf(spec.template) : otherTemplate,
  }));
}
