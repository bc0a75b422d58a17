import { defaultFeatureGates } from "../../../src/api/feature-gates.ts";
import type { Deployment } from "../../../src/api/generated/apps-v1.ts";
import { keyOf } from "../../../src/api/object.ts";
import { budgetOf } from "../../../src/decisions/rollout/budget.ts";
import { checkDeploymentPods } from "./deployment-pods.ts";
import type { Invariant } from "./invariant.ts";

/**
 * Applies from the end of the first rollout on, while replicas and limits stay, without faults and latency. Without
 * `minReadySeconds` the available Pods are the ready ones.
 */
export const rolloutStaysAvailable: Invariant = {
  name: "rollout-stays-available",
  description: "there are always as many Pods available as the rolling update demands",
  begin: ({ conditions }) => {
    if (conditions.hasFaults || conditions.latencyMs > 0) return {};
    const started = new Set<string>();
    return {
      commit: checkDeploymentPods({
        written(checked, previous) {
          const { deployment } = checked;
          const { strategy, minReadySeconds = 0 } = deployment.spec;
          const isRecreated = strategy?.type === "Recreate";
          const isChanged = previous !== undefined && limitsOf(previous) !== limitsOf(deployment);
          if (isRecreated || minReadySeconds > 0 || isChanged) checked.isExempt = true;
          if (isComplete(deployment)) started.add(deployment.metadata.uid);
        },
        counted({ deployment }, { ready }) {
          const { minAvailable } = budgetOf(deployment, defaultFeatureGates);
          return started.has(deployment.metadata.uid) && ready < minAvailable
            ? `Deployment ${keyOf(deployment)}: ${ready} Pods are ready, and ${minAvailable} must be`
            : undefined;
        },
      }),
    };
  },
};

function limitsOf({ spec }: Deployment): string {
  return JSON.stringify([spec.replicas, spec.strategy]);
}

function isComplete({ status }: Deployment): boolean {
  return (status?.conditions ?? []).some(
    ({ type, reason }) => type === "Progressing" && reason === "NewReplicaSetAvailable",
  );
}
