import type { ControllerRevision } from "../../api/generated/apps-v1.ts";
import type { PodTemplateSpec } from "../../api/generated/core-v1.ts";
import type { Draft, StoredObject } from "../../api/object.ts";
import { controllerReference } from "../../api/owner-references.ts";
import type { Resource } from "../../api/resource.ts";
import { isSameData, revisionDataOf } from "./revision-data.ts";

/** The label of Pods with the revision they were created from: its hash for DaemonSets, its name for StatefulSets. */
export const podRevisionLabel = "controller-revision-hash";

interface TemplatedWorkload extends StoredObject {
  readonly spec: { readonly template: PodTemplateSpec };
}

/** How one kind names and labels its revisions. */
export interface RevisionNaming {
  /** The kind of the workload. */
  readonly resource: Resource;
  readonly name: string;
  /** The label with the hash, which is the kind's own. */
  readonly hashLabel: string;
  readonly hash: string;
  readonly revision: number;
}

/** Drafts a revision of a workload's template. */
export function draftRevision(
  { metadata, spec }: TemplatedWorkload,
  { resource, name, hashLabel, hash, revision }: RevisionNaming,
): Draft<ControllerRevision> {
  const { namespace, annotations } = metadata;
  return {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      labels: { ...spec.template?.metadata?.labels, [hashLabel]: hash },
      ...(annotations !== undefined && { annotations }),
      ownerReferences: [controllerReference(resource, { metadata })],
    },
    data: revisionDataOf(spec.template),
    revision,
  };
}

/** Why the name of a draft is taken. */
export type TakenName =
  /** An earlier attempt created it: it is the revision. */
  | { readonly kind: "same"; readonly revision: ControllerRevision }
  /** Another template has the same hash: the next name is one for a higher collision count. */
  | { readonly kind: "collision"; readonly collisionCount: number };

/** Compares a draft with the revision that has its name already. */
export function takenName(
  draft: Draft<ControllerRevision>,
  existing: ControllerRevision,
  collisionCount: number,
): TakenName {
  if (isSameData(draft, existing)) return { kind: "same", revision: existing };
  return { kind: "collision", collisionCount: collisionCount + 1 };
}
