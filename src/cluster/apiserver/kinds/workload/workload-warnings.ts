import type { Deployment, ReplicaSet } from "../../../../api/generated/apps-v1.ts";
import { pickerWarnings } from "../../../../api/pod-picker/pod-picker.ts";
import type { Sent } from "../../../../api/sent.ts";
import { templateWarnings } from "./pod-template.ts";
import { nameWarning } from "./selector-and-template.ts";

type PickedWorkload = Sent<Deployment> | Sent<ReplicaSet>;

/** Returns warnings about a workload that may have a pod picker. */
export function pickedWorkloadWarnings(
  object: PickedWorkload,
  stored: PickedWorkload | undefined,
): readonly string[] {
  return [
    ...nameWarning(object, stored),
    ...pickerWarnings(object.spec?.downscalePodPicker, "spec.downscalePodPicker"),
    ...templateWarnings(object, stored),
  ];
}
