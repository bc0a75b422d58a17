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
  const [object, timeout] = [readWorkloadName(words), readTimeout(flags)];
  if (object.ok && timeout.ok) {
    const { kind, name } = object;
    return {
      ok: true,
      order: { kind, name, terminated: flags["terminated"] === true, timeoutMs: timeout.ms },
    };
  }
  return { ok: false, problems: [object, timeout].flatMap((each) => (each.ok ? [] : [each.problem])) };
}

type Refused = { readonly ok: false; readonly problem: string };
type ReadName = { readonly ok: true; readonly kind: WaitOrder["kind"]; readonly name: string } | Refused;
type ReadTimeout = { readonly ok: true; readonly ms: number | undefined } | Refused;

function readWorkloadName(words: readonly string[]): ReadName {
  const [kindText = "deployment", name = "", ...more] = splitObject(words);
  if (name === "" || kindText.includes("/") || more.length > 0)
    return { ok: false, problem: "one object is needed, such as trimtab wait deployment/web" };
  const kind = kindNamed(kindText);
  if (kind !== undefined && kind !== "Pod" && kind !== "ReplicationController")
    return { ok: true, kind, name };
  const known = "Deployment, ReplicaSet, StatefulSet, DaemonSet";
  return { ok: false, problem: `${JSON.stringify(kindText)} is not waited for; ${known} are` };
}

function readTimeout(flags: Invocation["flags"]): ReadTimeout {
  if (flags["timeout"] === undefined) return { ok: true, ms: undefined };
  const ms = parseDuration(flagText(flags, "timeout"));
  return ms !== undefined && ms > 0
    ? { ok: true, ms }
    : { ok: false, problem: "--timeout must be a duration above 0, such as 5m" };
}
