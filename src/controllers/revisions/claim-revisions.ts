import type { ControllerRevision } from "../../api/generated/apps-v1.ts";
import { type LabelSelection, matchesLabels } from "../../api/labels/label-selector.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import { controllerRevisions } from "../../api/resources.ts";
import type { Client } from "../../machinery/client/client.ts";
import { claimObjects } from "../../machinery/ownership/claim-objects.ts";

/** A workload and what it takes to claim revisions for it. */
export interface RevisionClaim<O extends StoredObject> {
  readonly owner: O;
  readonly ownerResource: Resource<O>;
  readonly selection: LabelSelection;
  readonly client: Client;
  /** Called with every revision that was written. */
  readonly wrote: (resource: Resource, object: StoredObject) => void;
  readonly signal: AbortSignal;
}

/** Adopts the orphaned revisions that a workload selects, and releases those it no longer selects. */
export function claimRevisions<O extends StoredObject>(
  revisions: readonly ControllerRevision[],
  claim: RevisionClaim<O>,
): Promise<readonly ControllerRevision[]> {
  return claimObjects(revisions, { ...claim, resource: controllerRevisions });
}

/** Variant for a kind that keeps the revisions it no longer selects: they are not its history, but stay its own. */
export function adoptRevisions<O extends StoredObject>(
  revisions: readonly ControllerRevision[],
  claim: RevisionClaim<O>,
): Promise<readonly ControllerRevision[]> {
  const selected = revisions.filter(({ metadata }) => matchesLabels(claim.selection, metadata.labels));
  return claimRevisions(selected, claim);
}
