import { grouped, type TableCase, v1 } from "./table-case.cases.ts";

/** Nodes, and what the cluster keeps about itself. */
export const nodeTables: readonly TableCase[] = [
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
    name: "a Namespace",
    of: v1("Namespace"),
    object: { status: { phase: "Active" } },
    want: ["Active", "AGE"],
  },
  {
    name: "a Lease with a holder",
    of: grouped("coordination.k8s.io", "Lease"),
    object: { spec: { holderIdentity: "node-1" } },
    want: ["node-1", "AGE"],
  },
];
