import { messageOf } from "../../api/message-of.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { type Command, reportErrors } from "../command.ts";
import { connectionFlags } from "../flags/cluster-flags.ts";
import { findConnection } from "../connection/find-connection.ts";
import { flagText } from "../flags/flag-values.ts";
import { clientOf } from "../connection/run-on-cluster.ts";

/** Also runs as the chart's pre-delete hook. */
export const uninstall: Command = {
  name: "uninstall",
  summary: "Take trimtab steer out of a cluster: its webhook configurations first, then its marks on Pods.",
  flags: {
    ...connectionFlags,
    namespace: {
      type: "string",
      default: "",
      value: "NAME",
      help: "The namespace it runs in (default: that of the connection)",
    },
    name: {
      type: "string",
      default: "trimtab-steer",
      value: "NAME",
      help: "The name in its configuration, of its Deployment and of its Lease",
    },
  },
  async run({ flags }, terminal) {
    const given = (name: string) => flagText(flags, name) || undefined;
    const found = findConnection({ kubeconfig: given("kubeconfig"), context: given("context") }, process.env);
    if (!found.ok) return reportErrors(terminal, uninstall, found.errors);
    const { connection } = found;
    const clock = new WallClock();
    const client = await clientOf(connection, { command: uninstall, clock });
    const name = flagText(flags, "name");
    const namespace = given("namespace") ?? connection.namespace;
    const names = { name, namespace, lease: name, secret: `${name}-certificate` };
    const { removeSteering } = await import("../../steering/remove-steering.ts");
    try {
      const { configurations, marks } = await removeSteering(
        { client, clock, ...names },
        terminal.interrupted,
      );
      terminal.out(
        `${connection.server}: removed ${configurations} webhook configurations and ${marks} marks`,
      );
      return 0;
    } catch (error) {
      return reportErrors(terminal, uninstall, [messageOf(error)]); // the boundary of the command
    } finally {
      await client.close();
    }
  },
};
