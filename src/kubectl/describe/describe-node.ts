import type { Json, JsonObject } from "../../api/json.ts";
import { compareText } from "../../api/compare-text.ts";
import { roleLabel } from "../../api/well-known.ts";
import { at, listAt, mapAt, textAt } from "../selection/kube-object.ts";
import {
  amountText,
  byKey,
  type Lines,
  metadataLines,
  optional,
  describedTime,
  titled,
} from "./describe-lines.ts";
import { nodePodLines } from "./describe-node-pods.ts";

/** What is described of a node besides itself. */
export interface NodeSurroundings {
  /** The Lease, or why it could not be read. */
  readonly lease: JsonObject | string;
  /** The Pods on it that have not ended. */
  readonly pods: readonly JsonObject[];
  readonly now: number;
}

const infos = {
  "Machine ID": "machineID",
  "System UUID": "systemUUID",
  "Boot ID": "bootID",
  "Kernel Version": "kernelVersion",
  "OS Image": "osImage",
  "Operating System": "operatingSystem",
  Architecture: "architecture",
  "Container Runtime Version": "containerRuntimeVersion",
  "Kubelet Version": "kubeletVersion",
  "Kube-Proxy Version": "kubeProxyVersion",
};

/** Describes a node. */
export function describedNodeLines(node: JsonObject, around: NodeSurroundings): Lines {
  return [
    `Name:\t${textAt(node, "metadata", "name")}`,
    `Roles:\t${rolesText(mapAt(node, "metadata", "labels"))}`,
    ...metadataLines(node),
    `CreationTimestamp:\t${describedTime(at(node, "metadata", "creationTimestamp"))}`,
    ...titled("Taints", taintTexts(listAt(node, "spec", "taints"))),
    `Unschedulable:\t${String(at(node, "spec", "unschedulable") === true)}`,
    ...leaseLines(around.lease),
    ...conditionLines(listAt(node, "status", "conditions")),
    "Addresses:",
    ...listAt(node, "status", "addresses").map(
      (each) => `  ${textAt(each, "type")}:\t${textAt(each, "address")}`,
    ),
    ...amountLines("Capacity", at(node, "status", "capacity")),
    ...amountLines("Allocatable", at(node, "status", "allocatable")),
    "System Info:",
    ...Object.entries(infos).map(
      ([title, field]) => `  ${title}:\t${textAt(node, "status", "nodeInfo", field)}`,
    ),
    ...optional("PodCIDR", at(node, "spec", "podCIDR")),
    ...optional("PodCIDRs", ((at(node, "spec", "podCIDRs") ?? []) as readonly string[]).join(",")),
    ...optional("ProviderID", at(node, "spec", "providerID")),
    ...nodePodLines(node, around.pods, around.now),
  ];
}

const rolePrefix = "node-role.kubernetes.io/";

function rolesText(labels: Readonly<Record<string, string>>): string {
  const roles = Object.entries(labels).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return [key.slice(rolePrefix.length)];
    return key === roleLabel ? [value] : [];
  });
  const named = [...new Set(roles.filter((role) => role !== ""))].toSorted(compareText);
  return named.length === 0 ? "<none>" : named.join(",");
}

/** Taints in the order of effect and key. */
export function taintTexts(taints: readonly JsonObject[]): readonly string[] {
  const keyOf = (taint: JsonObject) => `${textAt(taint, "effect")},${textAt(taint, "key")}`;
  return taints.toSorted((one, other) => compareText(keyOf(one), keyOf(other))).map(taintText);
}

function taintText(taint: JsonObject): string {
  const [key, value, effect] = ["key", "value", "effect"].map((name) => textAt(taint, name));
  return `${key}${value === "" ? "" : `=${value}`}${effect === "" ? "" : `:${effect}`}`;
}

function leaseLines(lease: JsonObject | string): Lines {
  if (typeof lease === "string") return [`Lease:\tFailed to get lease: ${lease}`];
  const time = (name: string) => {
    const value = at(lease, "spec", name);
    return value === undefined || value === null ? "<unset>" : describedTime(value);
  };
  return [
    "Lease:",
    `  HolderIdentity:\t${textAt(lease, "spec", "holderIdentity") || "<unset>"}`,
    `  AcquireTime:\t${time("acquireTime")}`,
    `  RenewTime:\t${time("renewTime")}`,
  ];
}

function conditionLines(conditions: readonly JsonObject[]): Lines {
  if (conditions.length === 0) return [];
  return [
    "Conditions:",
    "  Type\tStatus\tLastHeartbeatTime\tLastTransitionTime\tReason\tMessage",
    "  ----\t------\t-----------------\t------------------\t------\t-------",
    ...conditions.map(
      (each) =>
        `  ${textAt(each, "type")} \t${textAt(each, "status")} \t${describedTime(each["lastHeartbeatTime"])} \t${describedTime(each["lastTransitionTime"])} \t${textAt(each, "reason")} \t${textAt(each, "message")}`,
    ),
  ];
}

function amountLines(title: string, amounts: Json | undefined): Lines {
  const sorted = Object.entries(mapAt(amounts)).toSorted(byKey);
  return sorted.length === 0
    ? []
    : [`${title}:`, ...sorted.map(([name, amount]) => `  ${name}:\t${amountText(amount)}`)];
}
