import { grouped, type TableCase, target, v1 } from "./table-case.cases.ts";

/** What limits, scales and ranks Pods, and who may do what. */
export const policyTables: readonly TableCase[] = [
  {
    name: "a budget in numbers",
    of: grouped("policy", "PodDisruptionBudget"),
    object: { spec: { minAvailable: 0 }, status: { disruptionsAllowed: 2 } },
    want: ["0", "N/A", 2, "AGE"],
  },
  {
    name: "a budget in percent",
    of: grouped("policy", "PodDisruptionBudget"),
    object: { spec: { maxUnavailable: "25%" } },
    want: ["N/A", "25%", 0, "AGE"],
  },
  {
    name: "an autoscaler with more metrics than fit",
    of: grouped("autoscaling", "HorizontalPodAutoscaler", "v2"),
    object: {
      spec: {
        scaleTargetRef: target,
        minReplicas: 2,
        maxReplicas: 10,
        metrics: [
          { type: "Resource", resource: { name: "cpu", target: { averageUtilization: 80 } } },
          { type: "Pods", pods: { target: { averageValue: "500m" } } },
          { type: "External", external: { target: { value: "9" } } },
        ],
      },
      status: {
        currentReplicas: 4,
        currentMetrics: [{ type: "Resource", resource: { current: { averageUtilization: 63 } } }],
      },
    },
    want: ["Deployment/web", "cpu: 63%/80%, <unknown>/500m + 1 more...", "2", 10, 4, "AGE"],
  },
  {
    name: "an autoscaler by amounts",
    of: grouped("autoscaling", "HorizontalPodAutoscaler", "v2"),
    object: {
      spec: {
        scaleTargetRef: target,
        maxReplicas: 10,
        metrics: [
          { type: "Object", object: { target: { averageValue: "3" } } },
          {
            type: "ContainerResource",
            containerResource: { name: "memory", container: "a", target: { averageValue: "1Gi" } },
          },
        ],
      },
      status: {
        currentMetrics: [
          { type: "Object", object: { current: { averageValue: "2" } } },
          { type: "ContainerResource", containerResource: { current: { averageValue: "512Mi" } } },
        ],
      },
    },
    want: ["Deployment/web", "2/3 (avg), memory: 512Mi/1Gi", "<unset>", 10, 0, "AGE"],
  },
  {
    name: "an autoscaler without metrics",
    of: grouped("autoscaling", "HorizontalPodAutoscaler", "v2"),
    object: { spec: { scaleTargetRef: target, maxReplicas: 10 } },
    want: ["Deployment/web", "<none>", "<unset>", 10, 0, "AGE"],
  },
  {
    name: "an autoscaler of the older version",
    of: grouped("autoscaling", "HorizontalPodAutoscaler"),
    object: {
      spec: { scaleTargetRef: target, minReplicas: 1, maxReplicas: 3, targetCPUUtilizationPercentage: 70 },
      status: { currentReplicas: 1 },
    },
    want: ["Deployment/web", "cpu: <unknown>/70%", "1", 3, 1, "AGE"],
  },
  {
    name: "a priority class",
    of: grouped("scheduling.k8s.io", "PriorityClass"),
    object: { value: 1000, globalDefault: true, preemptionPolicy: "Never" },
    want: [1000, true, "AGE", "Never"],
  },
  { name: "a service account", of: v1("ServiceAccount"), object: {}, want: ["AGE"] },
  {
    name: "a quota",
    of: v1("ResourceQuota"),
    object: {
      status: {
        hard: { pods: "10", "limits.cpu": "4", "requests.cpu": "2", count: "1" },
        used: { pods: "3", "limits.cpu": "500m" },
      },
    },
    want: ["count: 0/1, pods: 3/10, requests.cpu: 0/2", "limits.cpu: 500m/4", "AGE"],
  },
  {
    name: "a role binding",
    of: grouped("rbac.authorization.k8s.io", "RoleBinding"),
    object: {
      roleRef: { kind: "ClusterRole", name: "view" },
      subjects: [
        { kind: "User", name: "jane" },
        { kind: "User", name: "joe" },
        { kind: "ServiceAccount", name: "robot", namespace: "default" },
      ],
    },
    want: ["ClusterRole/view", "AGE", "jane, joe", "", "default/robot"],
  },
  {
    name: "anything else by name and date",
    of: v1("LimitRange"),
    object: { spec: {} },
    want: ["2026-01-01T11:00:00Z"],
  },
];
