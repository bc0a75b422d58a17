import type { Resource } from "../../../api/resource.ts";
import type { Cell } from "./table-description.ts";

/** A minimal object and the cells of its row. */
export interface TableCase {
  readonly name: string;
  readonly of: Pick<Resource, "group" | "version" | "kind">;
  readonly object: object;
  /** All cells after the name, with the age as `AGE`. */
  readonly want: readonly Cell[];
}

const v1 = (kind: string) => ({ group: "", version: "v1", kind });
const apps = (kind: string) => ({ group: "apps", version: "v1", kind });
const grouped = (group: string, kind: string, version = "v1") => ({ group, version, kind });

const template = {
  spec: {
    containers: [
      { name: "web", image: "nginx:1" },
      { name: "log", image: "tail:2" },
    ],
  },
};
const selector = {
  matchLabels: { app: "web" },
  matchExpressions: [{ key: "tier", operator: "In", values: ["b", "a"] }],
};
const target = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };

export const tableCases: readonly TableCase[] = [
  {
    name: "a Deployment on its way",
    of: apps("Deployment"),
    object: {
      spec: { replicas: 3, template, selector },
      status: {
        replicas: 3,
        readyReplicas: 1,
        updatedReplicas: 2,
        availableReplicas: 1,
        terminatingReplicas: 2,
      },
    },
    want: ["1/3", 2, 1, "AGE", "web,log", "nginx:1,tail:2", "app=web,tier in (a,b)", "2"],
  },
  {
    name: "a Deployment without a status",
    of: apps("Deployment"),
    object: { spec: { replicas: 0, template: { spec: { containers: [] } }, selector: {} } },
    want: ["0/0", 0, 0, "AGE", "", "", "<none>", "<none>"],
  },
  {
    name: "a ReplicaSet",
    of: apps("ReplicaSet"),
    object: {
      spec: { replicas: 3, template, selector },
      status: { replicas: 2, readyReplicas: 1, terminatingReplicas: 0 },
    },
    want: [3, 2, 1, "AGE", "web,log", "nginx:1,tail:2", "app=web,tier in (a,b)", "0"],
  },
  {
    name: "a ReplicationController",
    of: v1("ReplicationController"),
    object: { spec: { replicas: 3, template, selector: { b: "2", a: "1" } }, status: { replicas: 2 } },
    want: [3, 2, 0, "AGE", "web,log", "nginx:1,tail:2", "a=1,b=2"],
  },
  {
    name: "a StatefulSet",
    of: apps("StatefulSet"),
    object: { spec: { replicas: 2, template }, status: { readyReplicas: 1 } },
    want: ["1/2", "AGE", "web,log", "nginx:1,tail:2"],
  },
  {
    name: "a DaemonSet",
    of: apps("DaemonSet"),
    object: {
      spec: { template: { spec: { ...template.spec, nodeSelector: { disk: "ssd" } } }, selector },
      status: {
        desiredNumberScheduled: 5,
        currentNumberScheduled: 4,
        numberReady: 3,
        updatedNumberScheduled: 2,
        numberAvailable: 1,
      },
    },
    want: [5, 4, 3, 2, 1, "disk=ssd", "AGE", "web,log", "nginx:1,tail:2", "app=web,tier in (a,b)"],
  },
  {
    name: "a node at work",
    of: v1("Node"),
    object: {
      metadata: {
        labels: {
          "node-role.kubernetes.io/worker": "",
          "node-role.kubernetes.io/": "",
          "kubernetes.io/role": "edge",
        },
      },
      spec: {},
      status: {
        conditions: [{ type: "Ready", status: "True" }],
        addresses: [
          { type: "InternalIP", address: "10.0.0.7" },
          { type: "Hostname", address: "n" },
        ],
        nodeInfo: {
          kubeletVersion: "v1.36.4",
          osImage: "Simulated",
          kernelVersion: "6.1",
          architecture: "amd64",
          containerRuntimeVersion: "sim://1",
        },
      },
    },
    want: [
      "Ready",
      "edge,worker",
      "AGE",
      "v1.36.4",
      "10.0.0.7",
      "<none>",
      "Simulated",
      "6.1 (amd64)",
      "sim://1",
    ],
  },
  {
    name: "a cordoned node that is not ready",
    of: v1("Node"),
    object: {
      spec: { unschedulable: true },
      status: { conditions: [{ type: "Ready", status: "Unknown" }] },
    },
    want: [
      "NotReady,SchedulingDisabled",
      "<none>",
      "AGE",
      "",
      "<none>",
      "<none>",
      "<unknown>",
      "<unknown>",
      "<unknown>",
    ],
  },
  {
    name: "a node without a status",
    of: v1("Node"),
    object: { spec: {} },
    want: ["Unknown", "<none>", "AGE", "", "<none>", "<none>", "<unknown>", "<unknown>", "<unknown>"],
  },
  {
    name: "a Service inside the cluster",
    of: v1("Service"),
    object: {
      spec: {
        type: "ClusterIP",
        clusterIPs: ["10.96.0.9"],
        ports: [
          { port: 80, protocol: "TCP" },
          { port: 53, protocol: "UDP", nodePort: 30053 },
        ],
        selector: { app: "web" },
      },
    },
    want: ["ClusterIP", "10.96.0.9", "<none>", "80/TCP,53:30053/UDP", "AGE", "app=web"],
  },
  {
    name: "a load balancer without an address",
    of: v1("Service"),
    object: { spec: { type: "LoadBalancer", clusterIPs: ["10.96.0.9"] } },
    want: ["LoadBalancer", "10.96.0.9", "<pending>", "<none>", "AGE", "<none>"],
  },
  {
    name: "a load balancer with addresses",
    of: v1("Service"),
    object: {
      spec: { type: "LoadBalancer", clusterIP: "10.96.0.9", externalIPs: ["192.0.2.1"] },
      status: {
        loadBalancer: {
          ingress: [{ ip: "198.51.100.2" }, { hostname: "a.example" }, { ip: "198.51.100.2" }],
        },
      },
    },
    want: ["LoadBalancer", "10.96.0.9", "198.51.100.2,a.example,192.0.2.1", "<none>", "AGE", "<none>"],
  },
  {
    name: "a Service that is a name",
    of: v1("Service"),
    object: { spec: { type: "ExternalName", externalName: "db.example" } },
    want: ["ExternalName", "<none>", "db.example", "<none>", "AGE", "<none>"],
  },
  {
    name: "a Namespace",
    of: v1("Namespace"),
    object: { status: { phase: "Active" } },
    want: ["Active", "AGE"],
  },
  {
    name: "a Job on its way",
    of: grouped("batch", "Job"),
    object: {
      spec: { completions: 3, parallelism: 2, template, selector },
      status: { succeeded: 1, startTime: "2026-01-01T11:58:00Z" },
    },
    want: ["Running", "1/3", "2m", "AGE", "web,log", "nginx:1,tail:2", "app=web,tier in (a,b)"],
  },
  {
    name: "a Job that has ended",
    of: grouped("batch", "Job"),
    object: {
      spec: { parallelism: 2, template },
      status: {
        succeeded: 1,
        startTime: "2026-01-01T11:00:00Z",
        completionTime: "2026-01-01T11:00:05Z",
        conditions: [{ type: "Complete", status: "True" }],
      },
    },
    want: ["Complete", "1/1 of 2", "5s", "AGE", "web,log", "nginx:1,tail:2", "<none>"],
  },
  {
    name: "a CronJob",
    of: grouped("batch", "CronJob"),
    object: {
      spec: { schedule: "*/5 * * * *", suspend: false, jobTemplate: { spec: { template } } },
      status: { active: [{}], lastScheduleTime: "2026-01-01T11:55:00Z" },
    },
    want: ["*/5 * * * *", "<none>", "False", 1, "5m", "AGE", "web,log", "nginx:1,tail:2", "<none>"],
  },
  {
    name: "a claim without a volume",
    of: v1("PersistentVolumeClaim"),
    object: {
      spec: { storageClassName: "fast", volumeMode: "Filesystem", accessModes: ["ReadWriteOnce"] },
      status: { phase: "Pending" },
    },
    want: ["Pending", "", "", "", "fast", "<unset>", "AGE", "Filesystem"],
  },
  {
    name: "a claim with one",
    of: v1("PersistentVolumeClaim"),
    object: {
      spec: { volumeName: "v-1" },
      status: {
        phase: "Bound",
        capacity: { storage: "1Gi" },
        accessModes: ["ReadOnlyMany", "ReadWriteOnce"],
      },
    },
    want: ["Bound", "v-1", "1Gi", "RWO,ROX", "", "<unset>", "AGE", "<unset>"],
  },
  {
    name: "an Ingress",
    of: grouped("networking.k8s.io", "Ingress"),
    object: {
      spec: { ingressClassName: "nginx", tls: [{}], rules: [{ host: "a" }, { host: "b" }] },
      status: { loadBalancer: { ingress: [{ ip: "192.0.2.7" }] } },
    },
    want: ["nginx", "a,b", "192.0.2.7", "80, 443", "AGE"],
  },
  {
    name: "an Ingress for everything",
    of: grouped("networking.k8s.io", "Ingress"),
    object: { spec: {} },
    want: ["<none>", "*", "", "80", "AGE"],
  },
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
    name: "a Lease with a holder",
    of: grouped("coordination.k8s.io", "Lease"),
    object: { spec: { holderIdentity: "node-1" } },
    want: ["node-1", "AGE"],
  },
  {
    name: "a priority class",
    of: grouped("scheduling.k8s.io", "PriorityClass"),
    object: { value: 1000, globalDefault: true, preemptionPolicy: "Never" },
    want: [1000, true, "AGE", "Never"],
  },
  {
    name: "a ConfigMap",
    of: v1("ConfigMap"),
    object: { data: { a: "1" }, binaryData: { b: "", c: "" } },
    want: [3, "AGE"],
  },
  {
    name: "a Secret",
    of: v1("Secret"),
    object: { type: "Opaque", data: { a: "MQ==" } },
    want: ["Opaque", 1, "AGE"],
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
    name: "endpoints, some of them counted only",
    of: v1("Endpoints"),
    object: {
      subsets: [
        { addresses: [{ ip: "10.0.0.1" }, { ip: "fd00::1" }], ports: [{ port: 80 }, { port: 443 }] },
        { addresses: [{ ip: "10.0.0.9" }] },
      ],
    },
    want: ["10.0.0.1:80,[fd00::1]:80,10.0.0.1:443 + 2 more...", "AGE"],
  },
  { name: "no endpoints", of: v1("Endpoints"), object: {}, want: ["<none>", "AGE"] },
  {
    name: "an endpoint slice",
    of: grouped("discovery.k8s.io", "EndpointSlice"),
    object: {
      addressType: "IPv4",
      ports: [{ port: 80 }, { name: "web" }, {}],
      endpoints: [{ addresses: ["10.0.0.1"] }, { addresses: ["10.0.0.2"] }],
    },
    want: ["IPv4", "80,web,*", "10.0.0.1,10.0.0.2", "AGE"],
  },
  {
    name: "an empty endpoint slice",
    of: grouped("discovery.k8s.io", "EndpointSlice"),
    object: { addressType: "IPv4", endpoints: [] },
    want: ["IPv4", "<unset>", "<unset>", "AGE"],
  },
  {
    name: "a controller revision",
    of: apps("ControllerRevision"),
    object: {
      metadata: {
        ownerReferences: [
          { apiVersion: "apps/v1", kind: "DaemonSet", name: "agent", uid: "o", controller: true },
        ],
      },
      revision: 7,
    },
    want: ["daemonset.apps/agent", 7, "AGE"],
  },
  {
    name: "a controller revision without an owner",
    of: apps("ControllerRevision"),
    object: { revision: 7 },
    want: ["<none>", 7, "AGE"],
  },
  {
    name: "a scale",
    of: grouped("autoscaling", "Scale"),
    object: { spec: { replicas: 3 }, status: { replicas: 2 } },
    want: [3, 2, "AGE"],
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
    name: "a volume",
    of: v1("PersistentVolume"),
    object: {
      spec: {
        capacity: { storage: "5Gi" },
        accessModes: ["ReadWriteOnce"],
        persistentVolumeReclaimPolicy: "Retain",
        claimRef: { namespace: "default", name: "data" },
        storageClassName: "fast",
        volumeMode: "Filesystem",
      },
      status: { phase: "Bound" },
    },
    want: ["5Gi", "RWO", "Retain", "Bound", "default/data", "fast", "<unset>", "", "AGE", "Filesystem"],
  },
  {
    name: "a Pod template",
    of: v1("PodTemplate"),
    object: { template: { ...template, metadata: { labels: { app: "web" } } } },
    want: ["web,log", "nginx:1,tail:2", "app=web"],
  },
  {
    name: "a network policy",
    of: grouped("networking.k8s.io", "NetworkPolicy"),
    object: { spec: { podSelector: {} } },
    want: ["<none>", "AGE"],
  },
  {
    name: "a class of Ingresses",
    of: grouped("networking.k8s.io", "IngressClass"),
    object: {
      spec: { controller: "example.com/c", parameters: { apiGroup: "acme.io", kind: "P", name: "x" } },
    },
    want: ["example.com/c", "P.acme.io/x", "AGE"],
  },
  {
    name: "an address",
    of: grouped("networking.k8s.io", "IPAddress"),
    object: { spec: { parentRef: { resource: "services", namespace: "default", name: "web" } } },
    want: ["services/default/web", "AGE"],
  },
  {
    name: "a range of addresses",
    of: grouped("networking.k8s.io", "ServiceCIDR"),
    object: { spec: { cidrs: ["10.0.0.0/8", "fd00::/64"] } },
    want: ["10.0.0.0/8,fd00::/64", "AGE"],
  },
  {
    name: "a driver",
    of: grouped("storage.k8s.io", "CSIDriver"),
    object: { spec: { attachRequired: false, volumeLifecycleModes: ["Persistent", "Ephemeral"] } },
    want: [false, false, false, "<unset>", false, "Persistent,Ephemeral", "AGE"],
  },
  {
    name: "the drivers of a node",
    of: grouped("storage.k8s.io", "CSINode"),
    object: { spec: { drivers: [{}, {}] } },
    want: [2, "AGE"],
  },
  {
    name: "an attached volume",
    of: grouped("storage.k8s.io", "VolumeAttachment"),
    object: { spec: { attacher: "a", source: { persistentVolumeName: "pv" }, nodeName: "n1" } },
    want: ["a", "pv", "n1", false, "AGE"],
  },
  {
    name: "anything else by name and date",
    of: v1("LimitRange"),
    object: { spec: {} },
    want: ["2026-01-01T11:00:00Z"],
  },
];
