import { defaultFeatureGates } from "../../../src/api/feature-gates.ts";
import type { Deployment } from "../../../src/api/generated/apps-v1.ts";
import { keyOf } from "../../../src/api/object.ts";
import { budgetOf } from "../../../src/decisions/rollout/budget.ts";
import { checkDeploymentPods } from "./deployment-pods.ts";
import type { Invariant } from "./invariant.ts";

const budget = (deployment: Deployment) => budgetOf(deployment, defaultFeatureGates);

/**
 * Under `TerminationComplete`, terminating Pods count against the surge, however long requests take. Applies while
 * replicas and surge have never been lowered: so the limit of now is at least that of any moment before.
 */
export const podsWithinSurge: Invariant = {
  name: "pods-within-surge",
  description: "the Pods of a rollout, terminating ones included, never exceed replicas and surge",
  begin: ({ conditions }) => {
    if (conditions.hasFaults) return {};
    return {
      commit: checkDeploymentPods({
        written(checked, previous) {
          const { policy, replicas, maxSurge } = budget(checked.deployment);
          const before = previous && budget(previous);
          const isLowered =
            before !== undefined && (replicas < before.replicas || maxSurge < before.maxSurge);
          if (policy !== "TerminationComplete" || isLowered) checked.isExempt = true;
        },
        counted({ deployment }, { active, terminating }) {
          const { maxReplicas } = budget(deployment);
          return active + terminating > maxReplicas
            ? `Deployment ${keyOf(deployment)}: ${active} Pods and ${terminating} terminating are more than ${maxReplicas}`
            : undefined;
        },
      }),
    };
  },
};
