import type { Node } from "../../api/generated/core-v1.ts";
import type { Draft } from "../../api/object.ts";
import { formatTime, type Instant } from "../../api/time.ts";
import { nodeAddress, podNetwork } from "./simulated-network.ts";

/** Marks the nodes whose Pods the kubelet simulates. */
const simulatedNodeLabel = "sim.trimtab.dev/node";

const kubeletVersion = "v1.36.4-trimtab";
const regionLabel = "topology.kubernetes.io/region";
const zoneLabel = "topology.kubernetes.io/zone";

/** Whether the kubelet simulates the Pods of a node: all nodes but ours are left to their own kubelets. */
export function isSimulated({ metadata }: Node): boolean {
  return metadata.labels?.[simulatedNodeLabel] === "true";
}

export interface SimulatedNodeOptions {
  /** From 0; determines the name, address and Pod network of the node. */
  readonly index: number;
  readonly zones: number;
}

/** `node-1`, `node-2`, …: as `kubectl get nodes` shows them. */
export function simulatedNodeName(index: number): string {
  return `node-${index + 1}`;
}

/** A node of the simulated cluster, already registered and ready; zones are assigned in turn. */
export function simulatedNode({ index, zones }: SimulatedNodeOptions, now: Instant): Draft<Node> {
  const name = simulatedNodeName(index);
  const zone = `zone-${String.fromCharCode("a".charCodeAt(0) + (index % zones))}`;
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        "kubernetes.io/hostname": name,
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/os": "linux",
        "beta.kubernetes.io/arch": "amd64",
        "beta.kubernetes.io/os": "linux",
        [regionLabel]: "simulated",
        [zoneLabel]: zone,
        [simulatedNodeLabel]: "true",
      },
      annotations: { "node.alpha.kubernetes.io/ttl": "0" },
    },
    spec: { podCIDR: podNetwork(index), podCIDRs: [podNetwork(index)] },
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: conditions(now),
      addresses: [
        { type: "InternalIP", address: nodeAddress(index) },
        { type: "Hostname", address: name },
      ],
      // No daemonEndpoints: there is no kubelet to connect to.
      nodeInfo: {
        machineID: name,
        systemUUID: name,
        bootID: name,
        kernelVersion: "simulated",
        osImage: "Trimtab simulated node",
        containerRuntimeVersion: "sim://1",
        kubeletVersion,
        kubeProxyVersion: "",
        operatingSystem: "linux",
        architecture: "amd64",
      },
    },
  };
}

const resources = { cpu: "32", memory: "256Gi", pods: "110", "ephemeral-storage": "1Ti" };

function conditions(now: Instant) {
  const at = formatTime(now);
  const healthy = (type: string, reason: string, message: string) => ({
    type,
    status: "False",
    reason,
    message,
    lastHeartbeatTime: at,
    lastTransitionTime: at,
  });
  return [
    healthy("MemoryPressure", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
    healthy("DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    healthy("PIDPressure", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
    healthy("NetworkUnavailable", "RouteCreated", "the network of a simulated node is always there"),
    { ...healthy("Ready", "KubeletReady", "kubelet is posting ready status"), status: "True" },
  ];
}
