import { apps, grouped, selector, type TableCase, template, v1 } from "./table-case.cases.ts";

/** Workloads, and what their controllers store. */
export const workloadTables: readonly TableCase[] = [
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
    name: "a Pod template",
    of: v1("PodTemplate"),
    object: { template: { ...template, metadata: { labels: { app: "web" } } } },
    want: ["web,log", "nginx:1,tail:2", "app=web"],
  },
];
