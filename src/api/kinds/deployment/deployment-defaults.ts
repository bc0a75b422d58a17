import type { Deployment, DeploymentSpec, DeploymentStrategy } from "../../generated/apps-v1.ts";
import { pickerDefaults } from "../downscale-pod-picker/picker-defaults.ts";
import { fillAbsent, fillEmpty, type MemberMaps, mapMembers } from "../defaulting.ts";
import { templateDefaults } from "../pod-template/template-defaults.ts";
import type { Sent } from "../sent.ts";

const members: MemberMaps<Sent<DeploymentSpec>> = {
  strategy: strategyDefaults,
  template: templateDefaults,
  downscalePodPicker: pickerDefaults,
};

/** A Deployment with its defaults; a replacement policy has none, for what it means unset depends on the strategy. */
export function deploymentDefaults(deployment: Sent<Deployment>): Sent<Deployment> {
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
