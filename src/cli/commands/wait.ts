import { parseDuration } from "../../api/duration.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { type Command, type Invocation, reportErrors } from "../command.ts";
import { findInspectedCluster, inspectionFlags } from "../connection/inspected-cluster.ts";
import { clientOf } from "../connection/run-on-cluster.ts";
import { kindNamed, splitObject } from "../explain/object-argument.ts";
import { flagText } from "../flags/flag-values.ts";
import { waitForWorkload, type WaitOrder } from "../wait/wait-for-workload.ts";

/** Waits for what `kubectl rollout status` does not wait for: Pods that are terminating. It only reads. */
export const wait: Command = {
  name: "wait",
  summary:
    "Wait until a workload is rolled out and, with --terminated, none of its Pods is terminating; only reads.",
  operands: "OBJECT",
  flags: {
    terminated: {
      type: "boolean",
      help: "Wait for terminating Pods, too, which kubectl rollout status does not",
    },
    timeout: {
      type: "string",
      value: "DURATION",
      help: "Give up after this long, such as 5m (default: never); the exit code is 1 then",
    },
    ...inspectionFlags,
  },
  async run({ flags, arguments: words }, terminal) {
    const read = readOrder(words, flags);
    const found = findInspectedCluster(flags);
    const problems = [...(read.ok ? [] : read.problems), ...(found.ok ? [] : found.problems)];
    if (!read.ok || !found.ok) return reportErrors(terminal, wait, problems);
    const clock = new WallClock();
    const client = await clientOf(found.connection, { command: wait, clock });
    const order: WaitOrder = { ...read.order, namespace: found.namespace };
    const name = `${order.kind} ${order.name}`;
    try {
      const result = await waitForWorkload(order, {
        client,
        clock,
        signal: terminal.interrupted,
        progress: (text) => terminal.out(`${name} waits for ${text}`),
      });
      if (!result.ok) return reportErrors(terminal, wait, [`${name}: ${result.problem}`]);
      terminal.out(`${name} is rolled out${order.terminated ? ", and none of its Pods is terminating" : ""}`);
      return 0;
    } finally {
      await client.close();
    }
  },
};

type ReadOrder =
  | { readonly ok: true; readonly order: Omit<WaitOrder, "namespace"> }
  | { readonly ok: false; readonly problems: readonly string[] };

function readOrder(words: readonly string[], flags: Invocation["flags"]): ReadOrder {
  const [kindText = "deployment", name = "", ...more] = splitObject(words);
  const kind = kindNamed(kindText);
  const timeoutMs = flags["timeout"] === undefined ? undefined : parseDuration(flagText(flags, "timeout"));
  const isTimeoutRead = flags["timeout"] === undefined || (timeoutMs !== undefined && timeoutMs > 0);
  const problems = [
    ...(name === "" || more.length > 0 ? ["one object is needed, such as trimtab wait deployment/web"] : []),
    ...(isTimeoutRead ? [] : ["--timeout must be a duration above 0, such as 5m"]),
  ];
  if (kind === undefined || kind === "Pod" || kind === "ReplicationController") {
    const known = "Deployment, ReplicaSet, StatefulSet, DaemonSet";
    return {
      ok: false,
      problems: [...problems, `${JSON.stringify(kindText)} is not waited for; ${known} are`],
    };
  }
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, order: { kind, name, terminated: flags["terminated"] === true, timeoutMs } };
}
