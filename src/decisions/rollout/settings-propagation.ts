import { extended } from "../../api/extended.ts";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Draft } from "../../api/object.ts";
import { protectionLimitAnnotation } from "../../api/pod-protection.ts";
import {
  podReplacementPolicyAnnotation,
  removalOrderAnnotation,
  scaleDownSpreadAnnotation,
} from "../../api/workload-settings.ts";
import type { RolloutAction } from "./action.ts";
import { annotationsOf, withoutAnnotation } from "./annotations.ts";
import { hasReplicas } from "./counts.ts";
import { hasPicker, withPicker } from "./picker-propagation.ts";
import type { Revisions } from "./revisions.ts";

/**
 * Annotations that stand for fields of the spec. Other annotations stay on a ReplicaSet when its Deployment loses them,
 * as in Kubernetes; a setting that was taken back has to end on the ReplicaSet, too. The picker's is handled with its field.
 */
const followed = [
  scaleDownSpreadAnnotation,
  podReplacementPolicyAnnotation,
  protectionLimitAnnotation,
  removalOrderAnnotation,
] as const;

/** The ReplicaSet with the settings of its Deployment, and without those that the Deployment does not have. */
export function withSettings<R extends Draft<ReplicaSet>>(replicaSet: R, revisions: Revisions): R {
  return withFollowed(withPicker(replicaSet, revisions), revisions.deployment);
}

/** Copies settings to the old ReplicaSets that still have Pods; what was taken back also reaches those without. */
export function propagateSettings(revisions: Revisions): readonly RolloutAction[] {
  const { deployment, oldReplicaSets } = revisions;
  const isPicked = hasPicker(deployment);
  return oldReplicaSets.flatMap((replicaSet) => {
    const hasPods = hasReplicas(replicaSet);
    const picked = hasPods || !isPicked ? withPicker(replicaSet, revisions) : replicaSet;
    const next = hasPods ? withFollowed(picked, deployment) : withoutLost(picked, deployment);
    return next === replicaSet ? [] : [{ kind: "update-replica-set", replicaSet: next }];
  });
}

function withFollowed<R extends Draft<ReplicaSet>>(replicaSet: R, deployment: Deployment): R {
  const wanted = annotationsOf(deployment);
  const missing = followed.filter(
    (name) => wanted[name] !== undefined && annotationsOf(replicaSet)[name] !== wanted[name],
  );
  const kept = withoutLost(replicaSet, deployment);
  if (missing.length === 0) return kept;
  const added = Object.fromEntries(missing.map((name) => [name, wanted[name] ?? ""]));
  return { ...kept, metadata: { ...kept.metadata, annotations: { ...annotationsOf(kept), ...added } } };
}

/** Without what the Deployment has lost. What its template still has is not: `trimtab steer` copies it from there. */
function withoutLost<R extends Draft<ReplicaSet>>(replicaSet: R, deployment: Deployment): R {
  const wanted = extended(deployment.spec.template.metadata?.annotations, annotationsOf(deployment));
  const present = annotationsOf(replicaSet);
  const lost = followed.filter((name) => present[name] !== undefined && wanted[name] === undefined);
  if (lost.length === 0) return replicaSet;
  const annotations = lost.reduce<typeof present>(withoutAnnotation, present);
  return { ...replicaSet, metadata: { ...replicaSet.metadata, annotations } };
}
