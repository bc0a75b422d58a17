import type { Scale } from "../../../api/generated/autoscaling-v1.ts";
import type { StoredJson } from "../../store/store.ts";
import { pick } from "../registry/pick-omit.ts";
import type { ScalePaths } from "../served-resource.ts";
import { badRequest, internalError } from "../status-errors.ts";
import { valueAtPath } from "../../../api/value-at-path.ts";

/** The replicas in the Scale of an object that does not say how many it wants: the smallest number of Scales. */
const absentReplicas = -(2 ** 31);

/** Returns the Scale of an object of a custom kind. */
export function customScale(object: StoredJson, paths: ScalePaths): Scale {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = paths;
  const replicas = valueAtPath(object, specReplicasPath);
  const wanted = typeof replicas === "number" ? replicas : absentReplicas;
  const present = valueAtPath(object, statusReplicasPath);
  const selector = labelSelectorPath === undefined ? undefined : valueAtPath(object, labelSelectorPath);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: pick(object.metadata, ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"]),
    spec: wanted === 0 ? {} : { replicas: wanted },
    status: {
      replicas: typeof present === "number" ? present : 0,
      ...(typeof selector === "string" && selector !== "" && { selector }),
    },
  };
}

/** Throws 500 for a Scale of an object that does not say how many replicas it wants. */
export function checkHasReplicas({ spec }: Scale, { specReplicasPath }: ScalePaths): void {
  if (spec?.replicas !== absentReplicas) return;
  throw internalError(`the spec replicas field ${JSON.stringify(specReplicasPath)} does not exist`);
}

/** Throws 400 for a change that leaves it open how many replicas are wanted. */
export function checkSetsReplicas({ spec }: Scale, { specReplicasPath }: ScalePaths): void {
  if (spec?.replicas !== absentReplicas) return;
  throw badRequest(`the spec replicas field ${JSON.stringify(specReplicasPath)} cannot be empty`);
}
