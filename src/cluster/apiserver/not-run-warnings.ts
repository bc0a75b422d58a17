import { formatGroupKind } from "../../api/resource.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ServerContext } from "./server-context.ts";

/** Kinds that do something only when some controller acts on them; the others are data. */
const needRunning: ReadonlySet<string> = new Set([
  "Pod",
  "ReplicationController",
  "ResourceQuota",
  "LimitRange",
  "PersistentVolumeClaim",
  "Deployment.apps",
  "ReplicaSet.apps",
  "StatefulSet.apps",
  "DaemonSet.apps",
  "Job.batch",
  "CronJob.batch",
  "HorizontalPodAutoscaler.autoscaling",
  "PodDisruptionBudget.policy",
  "Ingress.networking.k8s.io",
  "NetworkPolicy.networking.k8s.io",
  "Role.rbac.authorization.k8s.io",
  "RoleBinding.rbac.authorization.k8s.io",
  "ClusterRole.rbac.authorization.k8s.io",
  "ClusterRoleBinding.rbac.authorization.k8s.io",
]);

/** Says, on creation, that nothing in this cluster acts on a kind: better than leaving people to wait. */
export function notRunWarnings({ runKinds }: ServerContext, resource: ServedResource): readonly string[] {
  const kind = formatGroupKind(resource);
  if (!needRunning.has(kind) || runKinds.has(kind)) return [];
  return [`${kind} is stored, but nothing in this cluster runs it`];
}
