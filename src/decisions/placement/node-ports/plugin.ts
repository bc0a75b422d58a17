import { portsConflict } from "../snapshot/host-port.ts";
import { fits, type Plugin, unschedulable } from "../plugin.ts";

/** Refuses nodes on which a port the Pod wants is taken. */
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
