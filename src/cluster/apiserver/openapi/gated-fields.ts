import type { FeatureGate, FeatureGates } from "../../../api/feature-gates.ts";
import type { HiddenFields } from "./type-schema.ts";

/** The fields that come and go with a gate, as `type.field`. */
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

/** What the schema does not show while gates are off. */
export function hiddenFields(gates: FeatureGates): HiddenFields {
  return new Set(gatedFields.flatMap(([gate, fields]) => (gates[gate] ? [] : fields)));
}
