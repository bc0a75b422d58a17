import { findCondition, pickerHealthyCondition, withoutCondition } from "../../api/conditions.ts";
import type {
  Deployment,
  DeploymentCondition,
  ReplicaSet,
  ReplicaSetCondition,
} from "../../api/generated/apps-v1.ts";
import type { Draft } from "../../api/object.ts";
import { semanticEqual } from "../../api/schema/semantic-equality.ts";
import { downscalePodPickerAnnotation } from "../../api/workload-settings.ts";
import { annotationsOf, withoutAnnotation } from "./annotations.ts";
import { conditionsOf, replaceCondition } from "./status/conditions.ts";
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

type Conditions = readonly DeploymentCondition[];

/** The conditions of a Deployment with what its ReplicaSets report about its picker: the latest of it. */
export function withPickerCondition(
  conditions: Conditions,
  { deployment, replicaSets }: Revisions,
): Conditions {
  const present = findCondition(conditions, pickerHealthyCondition);
  const reported = hasPicker(deployment)
    ? latestOf(
        replicaSets.flatMap(
          ({ status }) => findCondition(conditionsOf(status), pickerHealthyCondition) ?? [],
        ),
      )
    : undefined;
  if (reported === undefined)
    return present === undefined ? conditions : withoutCondition(conditions, pickerHealthyCondition);
  const { lastTransitionTime, ...what } = reported;
  if (isSame(present, reported)) return conditions;
  const times =
    lastTransitionTime === undefined ? {} : { lastUpdateTime: lastTransitionTime, lastTransitionTime };
  return replaceCondition(conditions, { ...what, ...times });
}

/** The one with the latest transition; of several, one that reports a failure. */
function latestOf(reported: readonly ReplicaSetCondition[]): ReplicaSetCondition | undefined {
  const timeOf = ({ lastTransitionTime = "", status }: ReplicaSetCondition) =>
    `${lastTransitionTime} ${status === "False" ? 1 : 0}`;
  return reported.toSorted((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1))[0];
}

function isSame(present: DeploymentCondition | undefined, reported: ReplicaSetCondition): boolean {
  return (
    present?.status === reported.status &&
    present.reason === reported.reason &&
    present.message === reported.message
  );
}
