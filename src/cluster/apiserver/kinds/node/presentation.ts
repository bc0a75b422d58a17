import { findCondition } from "../../../../api/conditions.ts";
import type { Node } from "../../../../api/generated/core-v1.ts";
import { roleLabel } from "../../../../api/well-known.ts";
import { ageOf, noneText, orNone, orUnknown, textOrEmpty } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type TableDescription,
  wideColumn,
} from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const rolePrefix = "node-role.kubernetes.io/";

const nodeTable: TableDescription<Node> = {
  columns: [
    nameColumn,
    column("Status", "Whether the node is ready and accepts Pods."),
    column("Roles", "The roles in the node's labels."),
    ageColumn,
    column("Version", "The version of its kubelet."),
    wideColumn("Internal-IP", "The address inside the cluster."),
    wideColumn("External-IP", "The address outside the cluster."),
    wideColumn("OS-Image", "The operating system."),
    wideColumn("Kernel-Version", "The kernel, and the architecture it was built for."),
    wideColumn("Container-Runtime", "What runs the containers, and its version."),
  ],

  cells(node, now) {
    const info = node.status?.nodeInfo;
    const kernel = orUnknown(info?.kernelVersion);
    return [
      node.metadata.name,
      statusText(node),
      rolesText(node),
      ageOf(node, now),
      textOrEmpty(info?.kubeletVersion),
      addressText(node, "InternalIP"),
      addressText(node, "ExternalIP"),
      orUnknown(info?.osImage),
      info?.architecture ? `${kernel} (${info.architecture})` : kernel,
      orUnknown(info?.containerRuntimeVersion),
    ];
  },
};

function statusText(node: Node): string {
  const ready = findCondition(node.status?.conditions, "Ready");
  const said = ready?.status === "True" ? "Ready" : "NotReady";
  const status = ready === undefined ? "Unknown" : said;
  return node.spec.unschedulable === true ? `${status},SchedulingDisabled` : status;
}

function rolesText(node: Node): string {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(node.metadata.labels ?? {})) {
    if (key.startsWith(rolePrefix)) roles.add(key.slice(rolePrefix.length));
    else if (key === roleLabel) roles.add(value);
  }
  roles.delete("");
  return orNone([...roles].sort().join(","));
}

function addressText(node: Node, type: string): string {
  return node.status?.addresses?.find((address) => address.type === type)?.address ?? noneText;
}

const nodeDescriptions: TypeDescriptions = {
  "core.v1.Node": {
    about: "A machine that runs Pods.",
  },
  "core.v1.NodeSpec": {
    fields: {
      podCIDR: "The range from which its Pods get addresses.",
      providerID: "The cloud provider's identifier of the machine.",
      unschedulable: "Whether new Pods are kept off the node; `kubectl cordon` sets it.",
      taints: "Taints that keep Pods off the node unless they tolerate them.",
    },
  },
  "core.v1.NodeStatus": {
    fields: {
      capacity: "The resources of the machine.",
      allocatable: "The resources that Pods may use.",
      conditions: "Whether the node is ready, short of memory and so on.",
      addresses: "The addresses of the node.",
      nodeInfo: "The versions of the software on the node.",
      images: "The images that the node has already.",
    },
  },
  "core.v1.Taint": {
    about: "Keeps Pods off a node unless they tolerate it.",
    fields: {
      key: "The taint's key.",
      value: "The taint's value.",
      effect:
        "NoSchedule keeps new Pods off, PreferNoSchedule keeps them off if possible, NoExecute also evicts running Pods.",
      timeAdded: "When a NoExecute taint was added.",
    },
  },
};

export const nodePresentation: KindPresentation = { table: nodeTable, descriptions: nodeDescriptions };
