import { changeBounds, changeLoad, createAutoscaled, removeAutoscaler, scaleByHand } from "./autoscaling.ts";
import {
  changeParallelism,
  createCronJob,
  createJob,
  deleteJob,
  deleteJobPod,
  letJobsEnd,
  suspendOrResume,
} from "./batch.ts";
import {
  changeBudget,
  changeNode,
  createDaemonSets,
  deleteDaemonPod,
  replaceDaemonSet,
  rollOutAgent,
  untaintNodes,
} from "./daemons.ts";
import {
  changeUpdates,
  changeRetention,
  createStatefulSets,
  createWithClaims,
  deleteOrdinal,
  moveOrdinals,
  replaceStatefulSet,
  rescaleDatabase,
  rollOutDatabase,
} from "./stateful.ts";
import { cordonOrUncordon, drain, joinNode, reachZones } from "./nodes.ts";
import {
  changeLimits,
  changePolicy,
  createDeployment,
  deletePods,
  evictPods,
  letComplete,
  pause,
  raiseSurge,
  resume,
  rollOutImage,
  scaleToAnySize,
  scaleUp,
  undo,
} from "./rolling-deployment.ts";
import type { Scenario } from "./scenario.ts";
import {
  createDeployments,
  createNamespace,
  createReplicaSets,
  createReplicationControllers,
  deleteNamespace,
  recreateReplicaSets,
  relabel,
  replaceBarePod,
  replaceReplicaSet,
  rescale,
  rollOut,
} from "./workloads.ts";

const apps = ["web", "api"];

const rolloutActions = [rollOutImage, rollOutImage, undo, pause, resume];
const anyRolloutAction = [
  scaleToAnySize,
  scaleToAnySize,
  changeLimits,
  changePolicy,
  evictPods,
  ...rolloutActions,
];
const latenciesMs = [0, 0, 500, 3000];

/** Scenarios with faults, one entry each. */
export const faultScenarios: readonly Scenario[] = [
  {
    name: "scaling",
    description: "ReplicaSets and a ReplicationController grow and shrink",
    nodes: 4,
    restartable: ["replicaset", "replicationmanager", "scheduler", "kubelet"],
    async prepare(user) {
      await createReplicaSets(apps)(user);
      await createReplicationControllers(["old"])(user);
    },
    steps: [rescale],
  },
  {
    name: "adoption",
    description:
      "Pods are relabelled, orphaned and adopted, ReplicaSets and Pods replaced by others of their name",
    nodes: 3,
    restartable: ["replicaset", "scheduler", "kubelet", "garbage-collector"],
    prepare: createReplicaSets(apps),
    steps: [
      rescale,
      relabel([...apps, "nobody"]),
      replaceReplicaSet,
      recreateReplicaSets(apps),
      replaceBarePod([...apps, "nobody"]),
    ],
  },
  {
    name: "namespaces",
    description: "namespaces go with everything in them, and come back",
    nodes: 3,
    restartable: ["replicaset", "namespace", "garbage-collector", "kubelet"],
    async prepare(user) {
      await createReplicaSets(["web"])(user);
      await createNamespace("team", ["web"])(user);
    },
    steps: [rescale, deleteNamespace("team"), createNamespace("team", ["web", "api"])],
  },
  {
    name: "nodes",
    description: "nodes join, fail, are slow, closed and emptied",
    nodes: 3,
    restartable: ["replicaset", "scheduler", "kubelet", "node-lifecycle"],
    clusterFaults: ["node-failure", "node-deletion", "slow-node"],
    prepare: createReplicaSets(apps),
    steps: [rescale, joinNode, cordonOrUncordon, drain],
  },
  {
    name: "rollouts",
    description: "Deployments roll out one image after the other while they are scaled",
    nodes: 4,
    restartable: ["deployment", "replicaset", "scheduler", "kubelet"],
    prepare: createDeployments(apps),
    steps: [rescale, rollOut],
  },
];

/** What users do to the rollouts of one Deployment; without faults its budgets hold in fact, not only as reported. */
export const rolloutScenarios: readonly Scenario[] = [
  {
    name: "rollout-growing",
    description: "replicas and surge never fall, under TerminationComplete",
    nodes: 2,
    restartable: [],
    latenciesMs,
    prepare: createDeployment({ policy: "TerminationComplete", mayRecreate: true }),
    steps: [scaleUp, scaleUp, raiseSurge, ...rolloutActions],
    finish: letComplete,
  },
  {
    name: "rollout-steady",
    description: "one image follows the other while replicas and limits stay",
    nodes: 2,
    restartable: [],
    latenciesMs,
    prepare: createDeployment({ minReadySeconds: 0, mayRecreate: false }),
    steps: [rollOutImage, ...rolloutActions],
    finish: letComplete,
  },
  {
    name: "rollout-any",
    description: "a Deployment is rolled out, scaled, limited and evicted in any order",
    nodes: 2,
    restartable: [],
    latenciesMs,
    prepare: createDeployment({ mayRecreate: true }),
    steps: anyRolloutAction,
    finish: letComplete,
  },
  {
    name: "rollout-faults",
    description: "the same with faults",
    nodes: 2,
    restartable: ["deployment", "replicaset", "scheduler", "kubelet"],
    prepare: createDeployment({ mayRecreate: true }),
    steps: anyRolloutAction,
    finish: letComplete,
  },
];

/** A user deletes the Pods of a Deployment while it is scaled up. */
export const deletionScenarios: readonly Scenario[] = [
  {
    name: "rollout-deletions",
    description: "Pods are deleted by hand while their Deployment is scaled, under TerminationComplete",
    nodes: 2,
    restartable: [],
    latenciesMs,
    prepare: createDeployment({ policy: "TerminationComplete", mayRecreate: false }),
    steps: [scaleUp, scaleToAnySize, deletePods, deletePods, rollOutImage],
    finish: letComplete,
  },
];

const batch = ["one", "two", "three", "four"];

/** Jobs and CronJobs, with faults. */
export const jobScenarios: readonly Scenario[] = [
  {
    name: "jobs",
    description: "Jobs are created, suspended, resized and deleted, and a CronJob starts more of them",
    nodes: 3,
    restartable: ["job", "cronjob", "scheduler", "kubelet", "garbage-collector"],
    async prepare(user) {
      await createJob(["zero"])(user);
      await createJob(batch)(user);
      await createCronJob(user);
    },
    steps: [createJob(batch), createJob(batch), suspendOrResume, changeParallelism, deleteJob, deleteJobPod],
    finish: letJobsEnd,
  },
];

/** StatefulSets, with faults, and claims; and without, where their order holds in fact. */
export const statefulScenarios: readonly Scenario[] = [
  {
    name: "ordinals",
    description:
      "StatefulSets are scaled, moved, rolled out and replaced while nodes fail and Pods are deleted",
    nodes: 4,
    restartable: ["statefulset", "scheduler", "kubelet", "node-lifecycle", "garbage-collector"],
    clusterFaults: ["node-failure", "node-deletion"],
    prepare: createStatefulSets(["db", "queue"]),
    steps: [
      rollOutDatabase,
      rescaleDatabase,
      moveOrdinals,
      changeUpdates,
      deleteOrdinal,
      replaceStatefulSet,
      joinNode,
    ],
  },
  {
    name: "ordinal-rollouts",
    description: "StatefulSets are scaled and rolled out one image after the other",
    nodes: 4,
    restartable: [],
    latenciesMs: [0, 0, 500],
    prepare: createStatefulSets(["db", "queue"]),
    steps: [rollOutDatabase, rollOutDatabase, rescaleDatabase, changeUpdates, deleteOrdinal],
  },
  {
    name: "ordinal-claims",
    description: "StatefulSets with claims are scaled, rolled out and deleted while nodes and zones fail",
    nodes: 4,
    restartable: ["statefulset", "persistentvolume-binder", "scheduler", "kubelet", "garbage-collector"],
    clusterFaults: ["node-failure", "node-deletion"],
    prepare: createWithClaims(["db", "queue"]),
    steps: [rollOutDatabase, rescaleDatabase, moveOrdinals, changeRetention, deleteOrdinal, deleteOrdinal],
    finish: reachZones,
  },
];

/** DaemonSets, with faults; and without, where their budgets hold in fact. */
export const daemonScenarios: readonly Scenario[] = [
  {
    name: "daemons",
    description: "DaemonSets are rolled out and replaced on nodes that match, are tainted, fail and join",
    nodes: 4,
    restartable: ["daemonset", "scheduler", "kubelet", "node-lifecycle", "garbage-collector"],
    clusterFaults: ["node-failure", "node-deletion"],
    prepare: createDaemonSets(["agent", "proxy"]),
    steps: [
      rollOutAgent,
      changeBudget,
      changeNode,
      joinNode,
      cordonOrUncordon,
      deleteDaemonPod,
      replaceDaemonSet,
    ],
    finish: untaintNodes,
  },
  {
    name: "daemon-rollouts",
    description: "DaemonSets are rolled out one image after the other on nodes that match and do not",
    nodes: 5,
    restartable: [],
    latenciesMs: [0, 0, 500],
    prepare: createDaemonSets(["agent", "proxy"]),
    steps: [rollOutAgent, rollOutAgent, changeBudget, changeNode],
    finish: untaintNodes,
  },
];

/** Autoscalers, with faults. */
export const autoscalingScenarios: readonly Scenario[] = [
  {
    name: "autoscaling",
    description: "an autoscaler follows a load that changes while its Deployment is scaled and rolled out",
    nodes: 3,
    restartable: ["horizontal-pod-autoscaler", "deployment", "replicaset", "scheduler", "kubelet"],
    prepare: createAutoscaled,
    steps: [changeLoad, changeLoad, changeBounds, scaleByHand, rollOut],
    finish: removeAutoscaler,
  },
];

/** The cluster is kept on a disk, with the faults of all others and those of the disk. */
export const diskScenarios: readonly Scenario[] = [
  {
    name: "disk",
    description:
      "ReplicaSets and Deployments are scaled and rolled out on a disk that is full, broken or late",
    nodes: 3,
    hasDisk: true,
    restartable: ["deployment", "replicaset", "scheduler", "kubelet", "garbage-collector"],
    clusterFaults: ["disk-failure"],
    async prepare(user) {
      await createReplicaSets(["web"])(user);
      await createDeployments(["api"])(user);
    },
    steps: [rescale, rescale, rollOut, replaceReplicaSet],
  },
];

/** Every scenario. */
export const scenarios: readonly Scenario[] = [
  ...faultScenarios,
  ...rolloutScenarios,
  ...jobScenarios,
  ...statefulScenarios,
  ...daemonScenarios,
  ...autoscalingScenarios,
  ...deletionScenarios,
  ...diskScenarios,
];

export function findScenario(name: string): Scenario | undefined {
  return scenarios.find((scenario) => scenario.name === name);
}
