import type { FeatureGate, FeatureGates } from "../../../api/feature-gates.ts";
import type { HiddenFields } from "./type-schema.ts";

/** The fields behind feature gates, as `type.field`. */
const gatedFields: readonly (readonly [FeatureGate, readonly string[]])[] = [
  [
    "DownscalePodPicker",
    ["apps.v1.DeploymentSpec.downscalePodPicker", "apps.v1.ReplicaSetSpec.downscalePodPicker"],
  ],
  ["DeploymentPodReplacementPolicy", ["apps.v1.DeploymentSpec.podReplacementPolicy"]],
  [
    "DeploymentReplicaSetTerminatingReplicas",
    ["apps.v1.DeploymentStatus.terminatingReplicas", "apps.v1.ReplicaSetStatus.terminatingReplicas"],
  ],
];

/** Returns the fields that are left out of the OpenAPI documents because their gate is off. */
export function hiddenFields(gates: FeatureGates): HiddenFields {
  return new Set(gatedFields.flatMap(([gate, fields]) => (gates[gate] ? [] : fields)));
}
