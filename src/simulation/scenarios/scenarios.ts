import { cordonOrUncordon, drain, joinNode } from "./nodes.ts";
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

/** Every story that chaos tells, one entry each. */
export const scenarios: readonly Scenario[] = [
  {
    name: "scaling",
    description: "ReplicaSets and a ReplicationController grow and shrink",
    nodes: 4,
    restartable: ["replicaset", "replicationmanager", "scheduler", "kubelet"],
    async prepare(people) {
      await createReplicaSets(apps)(people);
      await createReplicationControllers(["old"])(people);
    },
    userActions: [rescale],
  },
  {
    name: "adoption",
    description:
      "Pods are relabelled, orphaned and adopted, ReplicaSets and Pods replaced by others of their name",
    nodes: 3,
    restartable: ["replicaset", "scheduler", "kubelet", "garbage-collector"],
    prepare: createReplicaSets(apps),
    userActions: [
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
    async prepare(people) {
      await createReplicaSets(["web"])(people);
      await createNamespace("team", ["web"])(people);
    },
    userActions: [rescale, deleteNamespace("team"), createNamespace("team", ["web", "api"])],
  },
  {
    name: "nodes",
    description: "nodes join, fail, are slow, closed and emptied",
    nodes: 3,
    restartable: ["replicaset", "scheduler", "kubelet"],
    clusterFaults: ["node-failure", "slow-node"],
    prepare: createReplicaSets(apps),
    userActions: [rescale, joinNode, cordonOrUncordon, drain],
  },
  {
    name: "rollouts",
    description: "Deployments roll out one image after the other while they are scaled",
    nodes: 4,
    restartable: ["deployment", "replicaset", "scheduler", "kubelet"],
    prepare: createDeployments(apps),
    userActions: [rescale, rollOut],
  },
];

export function findScenario(name: string): Scenario | undefined {
  return scenarios.find((scenario) => scenario.name === name);
}
