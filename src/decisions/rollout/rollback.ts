import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import {
  downscalePodPickerAnnotation,
  podReplacementPolicyAnnotation,
  removalOrderAnnotation,
  scaleDownSpreadAnnotation,
} from "../../api/workload-settings.ts";
import { protectionLimitAnnotation } from "../../api/pod-protection.ts";
import type { RolloutAction } from "./action.ts";
import {
  annotationsOf,
  isOwnAnnotation,
  parseInt64,
  rollbackAnnotation,
  selectAnnotations,
  withoutAnnotation,
} from "./annotations.ts";
import type { Revisions } from "./revisions.ts";
import { lastRevision, revisionNumberOf } from "./revision-history.ts";
import { hasTemplate, withoutHash } from "./pod-template.ts";

/** The revision of a rollback request, 0 for the previous one; `undefined` when there is no valid request. */
export function rollbackTarget(deployment: Deployment): bigint | undefined {
  return parseInt64(annotationsOf(deployment)[rollbackAnnotation]);
}

// These annotations stand for fields of the spec: a rollback of the template does not roll them back.
const settings: ReadonlySet<string> = new Set([
  podReplacementPolicyAnnotation,
  downscalePodPickerAnnotation,
  scaleDownSpreadAnnotation,
  protectionLimitAnnotation,
  removalOrderAnnotation,
]);

function isKept(name: string): boolean {
  return isOwnAnnotation(name) || settings.has(name);
}

/** Restores the template of an earlier revision, and removes the annotation that requested it in any case. */
export function rollBack(revisions: Revisions, target: bigint): readonly RolloutAction[] {
  const { deployment, oldReplicaSets, newReplicaSet } = revisions;
  const replicaSets = newReplicaSet === undefined ? oldReplicaSets : [...oldReplicaSets, newReplicaSet];
  const revision = target === 0n ? lastRevision(replicaSets) : target;
  if (revision === 0n)
    return giveUp(deployment, "DeploymentRollbackRevisionNotFound", "Unable to find last revision.");
  const source = replicaSets.find((replicaSet) => revisionNumberOf(replicaSet) === revision);
  if (source === undefined) {
    return giveUp(
      deployment,
      "DeploymentRollbackRevisionNotFound",
      "Unable to find the revision to rollback to.",
    );
  }
  const { name } = deployment.metadata;
  if (hasTemplate(source, deployment.spec.template)) {
    const message = `The rollback revision contains the same template as current deployment "${name}"`;
    return giveUp(deployment, "DeploymentRollbackTemplateUnchanged", message);
  }
  const message = `Rolled back deployment "${name}" to revision ${revision}`;
  return [
    { kind: "update-deployment", deployment: withoutRequest(restored(deployment, source)) },
    { kind: "record-event", event: { type: "Normal", reason: "DeploymentRollback", message } },
  ];
}

/** The Deployment with a ReplicaSet's template and annotations, except those that are never copied. */
export function restored(deployment: Deployment, source: ReplicaSet): Deployment {
  const annotations = {
    ...selectAnnotations(annotationsOf(source), (name) => !isKept(name)),
    ...selectAnnotations(annotationsOf(deployment), isKept),
  };
  const template =
    source.spec.template === undefined ? deployment.spec.template : withoutHash(source.spec.template);
  return {
    ...deployment,
    metadata: { ...deployment.metadata, annotations },
    spec: { ...deployment.spec, template },
  };
}

function giveUp(deployment: Deployment, reason: string, message: string): readonly RolloutAction[] {
  return [
    { kind: "record-event", event: { type: "Warning", reason, message } },
    { kind: "update-deployment", deployment: withoutRequest(deployment) },
  ];
}

function withoutRequest(deployment: Deployment): Deployment {
  const annotations = withoutAnnotation(annotationsOf(deployment), rollbackAnnotation);
  return { ...deployment, metadata: { ...deployment.metadata, annotations } };
}
