import type { ControllerRevision, DaemonSet } from "../../api/generated/apps-v1.ts";
import type { PodTemplateSpec, Node, Pod } from "../../api/generated/core-v1.ts";
import type { StoredObject } from "../../api/object.ts";
import { isControlledBy } from "../../api/owner-references.ts";
import type { Instant } from "../../api/time.ts";
import type { DaemonState } from "../daemon/plan-daemon-set.ts";
import { revisionDataOf } from "../revisions/revision-data.ts";
import { sortedRevisions } from "../revisions/revision-history.ts";

/** The objects of a cluster that a plan for a DaemonSet depends on. */
export interface DaemonObjects {
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  readonly controllerRevisions: readonly ControllerRevision[];
}

/** Gathers what a plan for a DaemonSet depends on, except the backoffs of failed Pods, which only the controller knows. */
export function gatherDaemon(daemonSet: DaemonSet, objects: DaemonObjects, now: Instant): DaemonState {
  const isOurs = (object: StoredObject) => isControlledBy(object, daemonSet.metadata.uid);
  return {
    daemonSet,
    nodes: objects.nodes,
    pods: objects.pods.filter(isOurs),
    revisions: withCurrentData(objects.controllerRevisions.filter(isOurs), daemonSet.spec.template),
    isExpecting: false,
    now,
  };
}

/** Snapshots lack the data of revisions: the newest is taken as the template's, the others as those of other templates. */
export function withCurrentData(
  revisions: readonly ControllerRevision[],
  template: PodTemplateSpec,
): readonly ControllerRevision[] {
  const newest = sortedRevisions(revisions).at(-1);
  if (revisions.some(({ data }) => data !== undefined)) return revisions;
  return revisions.map((revision) => ({
    ...revision,
    data: revision === newest ? revisionDataOf(template) : {},
  }));
}
