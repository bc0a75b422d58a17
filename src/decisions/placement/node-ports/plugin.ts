import { fits, type Plugin, unschedulable } from "../plugin.ts";
import type { PluginEntry } from "../plugin-entry.ts";
import { type QueueingHints, templateHints } from "../cluster-event.ts";
import { hostPortsOf, portsConflict } from "../objects/host-port.ts";

/** Rejects nodes on which a Pod has taken a host port that the Pod wants. */
export const nodePorts: Plugin = {
  name: "NodePorts",

  preFilter({ hostPorts }) {
    if (hostPorts.length === 0) return undefined;
    return {
      filter(node) {
        const taken = hostPorts.find((wanted) => node.hostPorts.some((used) => portsConflict(wanted, used)));
        if (taken === undefined) return fits;
        const { ip, protocol, port } = taken;
        return unschedulable(
          "node(s) didn't have free ports for the requested pod ports",
          `${ip}:${port}/${protocol} is taken`,
        );
      },
    };
  },
};

/** A Pod that frees a wanted port, or a new node, where all are free. */
const hints: QueueingHints = templateHints(["Pod/Delete", "Node/Add"], (waiting, event) => {
  if (event.resource === "Node") return true;
  if (event.resource !== "AssignedPod" || event.before === undefined) return false;
  const freed = hostPortsOf(event.before);
  return waiting.hostPorts.some((wanted) => freed.some((port) => portsConflict(wanted, port)));
});

export const nodePortsEntry = {
  name: "NodePorts",
  points: ["preFilter", "filter"],
  create: () => nodePorts,
  hints: () => hints,
} as const satisfies PluginEntry;
