import { fits, type Plugin, unschedulable } from "../plugin.ts";
import { portsConflict } from "../../../src/decisions/placement/objects/host-port.ts";

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
