import type { Deployment } from "../../api/generated/apps-v1.ts";
import type { PodTemplateSpec } from "../../api/generated/core-v1.ts";
import type { LabelSelector } from "../../api/generated/meta-v1.ts";
import type { IntOrString } from "../../api/int-or-string.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";

/** A Rollout of Argo, as far as the number of its Pods depends on it. */
export interface ArgoRollout extends StoredObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector?: LabelSelector;
    /** Absent: that of the workload it refers to. */
    readonly template?: PodTemplateSpec;
    readonly strategy?: {
      readonly canary?: {
        readonly maxSurge?: IntOrString;
        readonly maxUnavailable?: IntOrString;
        readonly trafficRouting?: object;
      };
    };
  };
}

export const argoRollouts: Resource<ArgoRollout> = {
  group: "argoproj.io",
  version: "v1alpha1",
  kind: "Rollout",
  plural: "rollouts",
  namespaced: true,
};

/** What Argo assumes where a canary does not say it. */
const defaultLimit = "25%";

/**
 * A Rollout in the form of a Deployment that may have as many Pods; `undefined` where its strategy says no surge. Blue-green
 * has two whole sets of Pods, and a canary with traffic routing does not look at its surge.
 */
export function asDeployment({ metadata, spec }: ArgoRollout): Deployment | undefined {
  const { replicas = 1, selector, template, strategy } = spec;
  const canary = strategy?.canary;
  if (canary === undefined || canary.trafficRouting !== undefined || selector === undefined) return undefined;
  const { maxSurge = defaultLimit, maxUnavailable = defaultLimit } = canary;
  return {
    metadata,
    spec: {
      replicas,
      selector,
      template: template ?? { spec: { containers: [] } },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } },
    },
  };
}
