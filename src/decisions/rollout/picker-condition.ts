import { findCondition, pickerHealthyCondition, withoutCondition } from "../../api/conditions.ts";
import type { DeploymentCondition, ReplicaSetCondition } from "../../api/generated/apps-v1.ts";
import { conditionsOf, replaceCondition } from "./conditions.ts";
import { hasPicker } from "./picker-propagation.ts";
import type { Revisions } from "./revisions.ts";

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
