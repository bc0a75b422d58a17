import type { Deployment, DeploymentSpec } from "../../generated/apps-v1.ts";
import { gatePicker } from "../downscale-pod-picker/picker-gate.ts";
import { pickerWarnings } from "../downscale-pod-picker/picker-warnings.ts";
import { mapMembers, withMember } from "../defaulting.ts";
import type { Kind } from "../kind.ts";
import type { StrategyContext } from "../kind-strategy.ts";
import type { Sent } from "../sent.ts";
import { statusUpdateOf } from "../status-update.ts";
import { nameWarning } from "../workload/name-warning.ts";
import { gateTerminatingReplicas } from "../workload/terminating-replicas-gate.ts";
import { deploymentDefaults } from "./deployment-defaults.ts";
import {
  validateDeployment,
  validateDeploymentStatus,
  validateDeploymentUpdate,
} from "./validate-deployment.ts";

/** kubectl copies this from a ReplicaSet when it undoes a rollout; on a Deployment it means nothing. */
const strayAnnotation = "deployment.kubernetes.io/replicaset-replicas-before-scale";

/** Deployments, with our two fields behind their gates. */
export const deploymentStrategy: Kind<Sent<Deployment>> = {
  defaults: deploymentDefaults,
  prepareForCreate(object, occasion) {
    return mapMembers(withMember(object, "status", undefined), {
      spec: (spec) => gateFields(spec, undefined, occasion),
    });
  },
  prepareForUpdate({ next, previous }, occasion) {
    return mapMembers(withoutStrayAnnotation(next), {
      spec: (spec) => gateFields(spec, previous.spec, occasion),
    });
  },
  prepareForStatusUpdate(change, occasion) {
    const { previous } = change;
    return mapMembers(statusUpdateOf(change), {
      metadata: (metadata) => withMember(metadata, "labels", previous.metadata?.labels),
      status: (status) => gateTerminatingReplicas(status, previous.status, occasion),
    });
  },
  validate: validateDeployment,
  validateUpdate: validateDeploymentUpdate,
  validateStatusUpdate: validateDeploymentStatus,
  warnings(object, _occasion, stored) {
    const picker = object.spec?.downscalePodPicker;
    return [...nameWarning(object, stored), ...pickerWarnings(picker, "spec.downscalePodPicker")];
  },
  generation: "spec-and-annotations",
  unconditionalUpdate: true,
};

function withoutStrayAnnotation(object: Sent<Deployment>): Sent<Deployment> {
  const { [strayAnnotation]: stray, ...annotations } = object.metadata?.annotations ?? {};
  return stray === undefined ? object : { ...object, metadata: { ...object.metadata, annotations } };
}

/** What is not switched on cannot be set; what was set before it was switched off may stay, and may be changed. */
function gateFields(
  spec: Sent<DeploymentSpec>,
  stored: Sent<DeploymentSpec> | undefined,
  occasion: StrategyContext,
): Sent<DeploymentSpec> {
  const gated = gatePicker(spec, stored, occasion);
  const { DeploymentPodReplacementPolicy, DeploymentReplicaSetTerminatingReplicas } = occasion.gates;
  const isOn = DeploymentPodReplacementPolicy && DeploymentReplicaSetTerminatingReplicas;
  if (isOn || stored?.podReplacementPolicy !== undefined || gated.podReplacementPolicy === undefined)
    return gated;
  return withMember(gated, "podReplacementPolicy", undefined);
}
