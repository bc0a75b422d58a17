import type { JsonObject } from "../../api/json.ts";
import type { Resource } from "../../api/resource.ts";
import { deployments, nodes, pods, replicaSets, replicationControllers } from "../../api/resources.ts";
import { formatTime } from "../../api/time.ts";
import { simulationPrefix } from "../../cluster/kubelet/behaviour/simulation-prefix.ts";
import type { SimulatedCluster } from "../simulated-cluster.ts";
import { zoneOf } from "../tracking/node-domains.ts";

/** A workload that is changed. */
export interface WorkloadName {
  readonly kind: "Deployment" | "ReplicaSet" | "ReplicationController";
  readonly namespace: string;
  readonly name: string;
}

/** Something that is done to a cluster to see what comes of it. */
export type Change =
  | { readonly kind: "scale"; readonly workload: WorkloadName; readonly replicas: number }
  /** Sets the image of one container of a Deployment. */
  | {
      readonly kind: "image";
      readonly workload: WorkloadName;
      readonly container: string;
      readonly image: string;
    }
  | { readonly kind: "restart"; readonly workload: WorkloadName }
  /** The nodes of a zone, or one node, are cut off: their kubelets are silent from now on. */
  | { readonly kind: "zone-down"; readonly zone: string }
  | { readonly kind: "node-down"; readonly node: string }
  | { readonly kind: "cordon"; readonly node: string }
  /** Evicts the Pods of a node as `kubectl drain --ignore-daemonsets --force` does. */
  | { readonly kind: "drain"; readonly node: string }
  | { readonly kind: "delete"; readonly namespace: string; readonly pod: string };

const resources: Readonly<Record<WorkloadName["kind"], Resource>> = {
  Deployment: deployments,
  ReplicaSet: replicaSets,
  ReplicationController: replicationControllers,
};

/** Makes a change to a simulated cluster; of a drain its first part, since evictions take time. */
export async function applyChange(change: Change, cluster: SimulatedCluster): Promise<void> {
  const { client, clock } = cluster;
  switch (change.kind) {
    case "scale":
      return patchWorkload(cluster, change.workload, { replicas: change.replicas });
    case "image": {
      const containers = [{ name: change.container, image: change.image }];
      return patchWorkload(cluster, change.workload, { template: { spec: { containers } } });
    }
    case "restart": {
      const annotations = { "kubectl.kubernetes.io/restartedAt": formatTime(clock.now()) };
      return patchWorkload(cluster, change.workload, { template: { metadata: { annotations } } });
    }
    case "zone-down": {
      const { items } = await client.list(nodes, {});
      for (const node of items.filter(({ metadata }) => zoneOf(metadata) === change.zone))
        await cutOff(cluster, node.metadata.name);
      return;
    }
    case "node-down":
      return cutOff(cluster, change.node);
    case "cordon":
    case "drain":
      await client.patch(
        nodes,
        { name: change.node },
        { type: "merge", body: { spec: { unschedulable: true } } },
      );
      return;
    case "delete":
      await client.delete(pods, { namespace: change.namespace, name: change.pod });
  }
}

async function patchWorkload(
  { client }: SimulatedCluster,
  { kind, namespace, name }: WorkloadName,
  spec: JsonObject,
): Promise<void> {
  await client.patch(resources[kind], { namespace, name }, { type: "strategic", body: { spec } });
}

async function cutOff({ client }: SimulatedCluster, name: string): Promise<void> {
  const annotations = { [`${simulationPrefix}unreachable`]: "true" };
  await client.patch(nodes, { name }, { type: "merge", body: { metadata: { annotations } } });
}

/** The change as the end of a sentence that begins with "What if". */
export function describeChange(change: Change): string {
  switch (change.kind) {
    case "scale":
      return `${titleOf(change.workload)} is scaled to ${change.replicas}`;
    case "image":
      return `container ${change.container} of ${titleOf(change.workload)} gets the image ${change.image}`;
    case "restart":
      return `${titleOf(change.workload)} is restarted`;
    case "zone-down":
      return `${/zone/i.test(change.zone) ? "" : "zone "}${change.zone} fails`;
    case "node-down":
      return `${nodeTitle(change.node)} fails`;
    case "cordon":
      return `${nodeTitle(change.node)} is cordoned`;
    case "drain":
      return `${nodeTitle(change.node)} is drained`;
    case "delete":
      return `Pod ${change.pod} is deleted`;
  }
}

function nodeTitle(name: string): string {
  return /node/i.test(name) ? name : `node ${name}`;
}

/** `deployment/web`. */
export function titleOf({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind.toLowerCase()}/${name}`;
}
