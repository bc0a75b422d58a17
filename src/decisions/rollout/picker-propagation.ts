import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Draft } from "../../api/object.ts";
import { semanticEqual } from "../../api/schema/semantic-equality.ts";
import { downscalePodPickerAnnotation } from "../../api/workload-settings.ts";
import type { RolloutAction } from "./action.ts";
import { annotationsOf, withoutAnnotation } from "./annotations.ts";
import { isActive } from "./counts.ts";
import type { Revisions } from "./revisions.ts";

/** The ReplicaSet with the Deployment's picker, or with none if the Deployment has none. */
export function withPicker<R extends Draft<ReplicaSet>>(replicaSet: R, { deployment, gates }: Revisions): R {
  if (!gates.DownscalePodPicker || hasSamePicker(replicaSet, deployment)) return replicaSet;
  const { downscalePodPicker: _, ...spec } = replicaSet.spec;
  const { field, annotation } = pickerOf(deployment) ?? {};
  const others = withoutAnnotation(annotationsOf(replicaSet), downscalePodPickerAnnotation);
  const annotations =
    annotation === undefined ? others : { ...others, [downscalePodPickerAnnotation]: annotation };
  return {
    ...replicaSet,
    metadata: { ...replicaSet.metadata, annotations },
    spec: field === undefined ? spec : { ...spec, downscalePodPicker: field },
  };
}

/** Copies the picker to the old ReplicaSets that still have Pods; its removal also reaches those without. */
export function propagatePicker(revisions: Revisions): readonly RolloutAction[] {
  const isPicked = hasPicker(revisions.deployment);
  return revisions.oldReplicaSets
    .filter((replicaSet) => isActive(replicaSet) || !isPicked)
    .map((replicaSet) => ({ replicaSet, next: withPicker(replicaSet, revisions) }))
    .filter(({ replicaSet, next }) => next !== replicaSet)
    .map(({ next }) => ({ kind: "update-replica-set", replicaSet: next }));
}

/** Whether an object names a picker, valid or not. */
export function hasPicker(object: Draft<Deployment> | Draft<ReplicaSet>): boolean {
  return pickerOf(object) !== undefined;
}

function hasSamePicker(replicaSet: Draft<ReplicaSet>, deployment: Deployment): boolean {
  const [left, right] = [pickerOf(replicaSet), pickerOf(deployment)];
  return (
    left?.annotation === right?.annotation &&
    semanticEqual("apps.v1.DownscalePodPicker", left?.field, right?.field)
  );
}

/** The picker of an object: a field, an annotation where the API server has no such field, or both. */
function pickerOf(object: Draft<Deployment> | Draft<ReplicaSet>) {
  const field = object.spec.downscalePodPicker ?? undefined;
  const annotation = annotationsOf(object)[downscalePodPickerAnnotation];
  return field === undefined && annotation === undefined ? undefined : { field, annotation };
}
