import { beforeScaleAnnotation } from "../../../../decisions/rollout/annotations.ts";
import type { Deployment, DeploymentSpec, DeploymentStrategy } from "../../../../api/generated/apps-v1.ts";
import {
  fillAbsent,
  fillEmpty,
  mapMembers,
  type MemberMaps,
  withMember,
} from "../../../../api/defaulting.ts";
import { gatePicker, pickerDefaults } from "../../../../api/pod-picker/pod-picker.ts";
import { type KindStrategy, statusUpdateOf, type StrategyContext } from "../kind-strategy.ts";
import { immutableSelector } from "../immutable-selector.ts";
import type { Sent } from "../../../../api/sent.ts";
import { templateDefaults } from "../workload/pod-template.ts";
import { gateTerminatingReplicas } from "../workload/status-counts.ts";
import { pickedWorkloadWarnings } from "../workload/workload-warnings.ts";
import { validateDeployment, validateDeploymentStatus } from "./validate-deployment.ts";

/** The strategy of Deployments; the two fields that Trimtab adds are behind feature gates. */
export const deploymentStrategy: KindStrategy<Sent<Deployment>> = {
  defaults: deploymentDefaults,
  prepareForCreate(object, context) {
    return mapMembers(withMember(object, "status", undefined), {
      spec: (spec) => gateFields(spec, undefined, context),
    });
  },
  prepareForUpdate({ next, previous }, context) {
    return mapMembers(withoutStrayAnnotation(next), {
      spec: (spec) => gateFields(spec, previous.spec, context),
    });
  },
  prepareForStatusUpdate(update, context) {
    const { previous } = update;
    return mapMembers(statusUpdateOf(update), {
      metadata: (metadata) => withMember(metadata, "labels", previous.metadata?.labels),
      status: (status) => gateTerminatingReplicas(status, previous.status, context),
    });
  },
  validate: validateDeployment,
  validateUpdate: immutableSelector,
  validateStatusUpdate: validateDeploymentStatus,
  warnings: (object, _context, stored) => pickedWorkloadWarnings(object, stored),
  needsComponent: true,
  generation: "spec-and-annotations",
  unconditionalUpdate: true,
};

function withoutStrayAnnotation(object: Sent<Deployment>): Sent<Deployment> {
  // kubectl copies this one from a ReplicaSet when it undoes a rollout; it has no meaning on a Deployment.
  const { [beforeScaleAnnotation]: stray, ...annotations } = object.metadata?.annotations ?? {};
  return stray === undefined ? object : { ...object, metadata: { ...object.metadata, annotations } };
}

/** Drops fields whose gate is off, unless the stored Deployment has them already. */
function gateFields(
  spec: Sent<DeploymentSpec>,
  stored: Sent<DeploymentSpec> | undefined,
  context: StrategyContext,
): Sent<DeploymentSpec> {
  const gated = gatePicker(spec, stored, context);
  const { DeploymentPodReplacementPolicy, DeploymentReplicaSetTerminatingReplicas } = context.gates;
  const isOn = DeploymentPodReplacementPolicy && DeploymentReplicaSetTerminatingReplicas;
  if (isOn || stored?.podReplacementPolicy !== undefined || gated.podReplacementPolicy === undefined)
    return gated;
  return withMember(gated, "podReplacementPolicy", undefined);
}

const members: MemberMaps<Sent<DeploymentSpec>> = {
  strategy: strategyDefaults,
  template: templateDefaults,
  downscalePodPicker: pickerDefaults,
};

/**
 * Returns a Deployment with its defaults. The replacement policy has none: unset, its meaning depends on the strategy.
 */
function deploymentDefaults(deployment: Sent<Deployment>): Sent<Deployment> {
  return mapMembers(fillAbsent(deployment, { spec: {} }), { spec: specDefaults });
}

function specDefaults(spec: Sent<DeploymentSpec>): Sent<DeploymentSpec> {
  const filled = fillAbsent(spec, {
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    strategy: {},
    template: {},
  });
  return mapMembers(filled, members);
}

function strategyDefaults(strategy: Sent<DeploymentStrategy>): Sent<DeploymentStrategy> {
  const filled = fillEmpty(strategy, { type: "RollingUpdate" });
  if (filled.type !== "RollingUpdate") return filled;
  return mapMembers(fillAbsent(filled, { rollingUpdate: {} }), {
    rollingUpdate: (update) => fillAbsent(update, { maxUnavailable: "25%", maxSurge: "25%" }),
  });
}
