import type { Deployment, DeploymentCondition } from "../../api/generated/apps-v1.ts";
import { scaledValue } from "../../api/int-or-string.ts";
import { parseTime } from "../../api/time.ts";
import { rollingLimits, strategyOf } from "../../decisions/rollout/budget.ts";
import { replicasOf } from "../../decisions/rollout/counts.ts";
import type { StateMetric, StateValue } from "./state-metric.ts";

/** The metrics of kube-state-metrics for Deployments; unlike there, a condition always keeps its reason. */
export const deploymentMetrics: readonly StateMetric<Deployment>[] = [
  {
    name: "kube_deployment_created",
    help: "Unix creation timestamp.",
    read: ({ metadata }) => {
      const created = parseTime(metadata.creationTimestamp);
      return created === undefined ? undefined : created / 1000;
    },
  },
  {
    name: "kube_deployment_metadata_generation",
    help: "Sequence number of a specific generation of the desired state.",
    read: ({ metadata }) => metadata.generation,
  },
  {
    name: "kube_deployment_spec_replicas",
    help: "Number of desired Pods.",
    read: ({ spec }) => spec.replicas ?? 1,
  },
  {
    name: "kube_deployment_spec_paused",
    help: "Whether the Deployment is paused and will not be rolled out.",
    read: ({ spec }) => Number(spec.paused === true),
  },
  {
    name: "kube_deployment_spec_strategy_rollingupdate_max_unavailable",
    help: "How many Pods may be unavailable during a rolling update.",
    read: (deployment) => limitOf(deployment, "maxUnavailable", "down"),
  },
  {
    name: "kube_deployment_spec_strategy_rollingupdate_max_surge",
    help: "How many Pods more than desired there may be during a rolling update.",
    read: (deployment) => limitOf(deployment, "maxSurge", "up"),
  },
  {
    name: "kube_deployment_status_observed_generation",
    help: "The generation last observed by the controller.",
    read: ({ status }) => status?.observedGeneration ?? 0,
  },
  count("replicas", "Number of Pods that are not terminating.", "replicas"),
  count("replicas_ready", "Number of ready Pods.", "readyReplicas"),
  count("replicas_available", "Number of available Pods.", "availableReplicas"),
  count("replicas_unavailable", "Number of Pods that are missing or not available.", "unavailableReplicas"),
  count("replicas_updated", "Number of Pods of the new revision.", "updatedReplicas"),
  {
    name: "kube_deployment_status_replicas_terminating",
    help: "Number of terminating Pods; absent where they are not counted.",
    read: ({ status }) => status?.terminatingReplicas ?? undefined,
  },
  {
    name: "kube_deployment_status_condition",
    help: "The current conditions, one series for each status a condition can have.",
    labels: ["reason", "condition", "status"],
    read: ({ status }) => (status?.conditions ?? []).flatMap(conditionValues),
  },
];

type Counter = "replicas" | "readyReplicas" | "availableReplicas" | "unavailableReplicas" | "updatedReplicas";

function count(name: string, help: string, member: Counter): StateMetric<Deployment> {
  return { name: `kube_deployment_status_${name}`, help, read: ({ status }) => status?.[member] ?? 0 };
}

function conditionValues({ type, status, reason = "" }: DeploymentCondition): readonly StateValue[] {
  return ["true", "false", "unknown"].map((each) => ({
    value: Number(status.toLowerCase() === each),
    labels: { reason, condition: type, status: each },
  }));
}

/** Resolves a limit of the spec, without the correction that the controller applies when both limits are 0. */
function limitOf(deployment: Deployment, limit: "maxSurge" | "maxUnavailable", round: "up" | "down") {
  if (strategyOf(deployment) === "Recreate") return undefined;
  return scaledValue(rollingLimits(deployment)[limit], replicasOf(deployment), round);
}
