import {
  archLabel,
  formerArchLabel,
  formerOsLabel,
  hostnameLabel,
  osLabel,
  regionLabel,
  zoneLabel,
} from "../../../api/well-known.ts";
import { extended } from "../../../api/extended.ts";
import type { Node, NodeCondition, NodeStatus, NodeSystemInfo } from "../../../api/generated/core-v1.ts";
import { findCondition } from "../../../api/conditions.ts";
import type { Draft } from "../../../api/object.ts";
import { formatTime, type Instant } from "../../../api/time.ts";
import { kwokNodeAnnotation } from "../behaviour/kwok.ts";
import { nodeAddress, podNetwork } from "./simulated-network.ts";

/** Marks the nodes whose Pods the kubelet simulates. */
const simulatedNodeLabel = "sim.trimtab.dev/node";

const kubeletVersion = "v1.36.4-trimtab";

/**
 * Reports whether the kubelet simulates a node: one with our label, or KWOK's mark. All others are left to their own
 * kubelets.
 */
export function isSimulated({ metadata }: Pick<Node, "metadata">): boolean {
  const label = metadata.labels?.[simulatedNodeLabel];
  return label === undefined ? metadata.annotations?.[kwokNodeAnnotation] === "fake" : label === "true";
}

/** Reports whether a node is ready; a node that reports nothing counts as ready. */
export function isNodeReady({ status }: Pick<Node, "status">): boolean {
  return (findCondition(status?.conditions, "Ready")?.status ?? "True") === "True";
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

/** Returns a node of the simulated cluster, already registered and ready; zones are assigned in turn. */
export function simulatedNode({ index, zones }: SimulatedNodeOptions, now: Instant): Draft<Node> {
  const name = simulatedNodeName(index);
  const zone = `zone-${String.fromCharCode("a".charCodeAt(0) + (index % zones))}`;
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        [hostnameLabel]: name,
        [archLabel]: "amd64",
        [osLabel]: "linux",
        [formerArchLabel]: "amd64",
        [formerOsLabel]: "linux",
        [regionLabel]: "simulated",
        [zoneLabel]: zone,
        [simulatedNodeLabel]: "true",
      },
      annotations: { "node.alpha.kubernetes.io/ttl": "0" },
    },
    spec: { podCIDR: podNetwork(index), podCIDRs: [podNetwork(index)] },
    status: extended(registeredResources, {
      conditions: healthyConditions(now),
      addresses: addressesOf(name, nodeAddress(index)),
      nodeInfo: nodeInfoOf(name),
    }),
  };
}

/** Returns the status of a node that was registered by name only; members that it has stay. */
export function registeredStatus({ metadata: { name }, status = {} }: Node, now: Instant): NodeStatus {
  return {
    ...registeredResources,
    addresses: addressesOf(name, nodeAddress(addressIndex(name))),
    nodeInfo: nodeInfoOf(name),
    ...(status.allocatable !== undefined && { capacity: status.allocatable }),
    ...status,
    conditions: healthyConditions(now),
  };
}

/** Returns the index of the address of a node with another name, above those of our own names. */
function addressIndex(name: string): number {
  const number = Number(/^node-([1-9][0-9]{0,4})$/.exec(name)?.[1]);
  if (number > 0) return number - 1;
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) & 0x3f_ffff;
  return 0x10_0000 + hash;
}

function addressesOf(name: string, address: string) {
  return [
    { type: "InternalIP", address },
    { type: "Hostname", address: name },
  ];
}

/** Returns the node's system information. There are no daemonEndpoints beside it: there is no kubelet to connect to. */
function nodeInfoOf(name: string): NodeSystemInfo {
  return {
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
  };
}

const resources = { cpu: "32", memory: "256Gi", pods: "110", "ephemeral-storage": "1Ti" };
const registeredResources = { capacity: resources, allocatable: resources };

/** Returns the conditions of a healthy node. */
export function healthyConditions(now: Instant): readonly NodeCondition[] {
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
