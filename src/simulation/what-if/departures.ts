import { findCondition } from "../../api/conditions.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { isTerminal } from "../../api/pod-state.ts";
import type { Instant } from "../../api/time.ts";
import type { PodListener } from "../scenario-run/scenario-state.ts";
import type { RemovalCause } from "../tracking/removed-pods.ts";

/** A Pod that went: its deletion began, or it ended by itself. */
export interface Departure {
  readonly pod: Pod;
  /** `Deployment default/web`. */
  readonly workload: string | undefined;
  readonly at: Instant;
  /** The rule that chose it, or the reason that Kubernetes has for the disruption. */
  readonly rule: string;
  readonly because: string;
}

/** Lists the Pods that go while a scenario runs, without those that were going when it began. */
export class Departures {
  /** By UID, in the order in which the Pods were first seen. */
  readonly #pods = new Map<string, Departure | undefined>();
  readonly #wereGoing: ReadonlySet<string>;

  constructor(pods: readonly Pod[]) {
    const going = pods.filter((pod) => isTerminal(pod) || isBeingDeleted(pod));
    this.#wereGoing = new Set(going.map(({ metadata }) => metadata.uid));
  }

  readonly observe: PodListener = ({ tracked: { pod, workloads }, kind }, removal, at) => {
    const { uid } = pod.metadata;
    const known = this.#pods.get(uid);
    if (known !== undefined || this.#wereGoing.has(uid)) return;
    const isGoing = removal !== undefined || kind === "ended";
    const why = removal === undefined ? endOf(pod) : reasonOf(removal.cause, pod);
    this.#pods.set(uid, isGoing ? { pod, workload: workloads.at(-1), at, ...why } : undefined);
  };

  /** All of them in the order in which they went. */
  all(): readonly Departure[] {
    const gone = [...this.#pods.values()].filter((departure) => departure !== undefined);
    return gone.toSorted((a, b) => a.at - b.at);
  }

  has({ metadata }: Pod): boolean {
    return this.#wereGoing.has(metadata.uid) || this.#pods.get(metadata.uid) !== undefined;
  }
}

type Reason = Pick<Departure, "rule" | "because">;

function reasonOf(cause: RemovalCause, pod: Pod): Reason {
  switch (cause.kind) {
    case "decision":
      return { rule: cause.decision.rule, because: cause.decision.reason };
    case "disruption":
      return disruptionOf(cause.reason, pod);
    case "event":
      return { rule: "deleted", because: "deleted by the user" };
    case "cluster":
      return { rule: "deleted", because: "deleted" };
  }
}

function endOf(pod: Pod): Reason {
  const disruption = findCondition(pod.status?.conditions, "DisruptionTarget");
  if (disruption?.status === "True") return disruptionOf(disruption.reason ?? "", pod);
  const { phase = "", reason = phase } = pod.status ?? {};
  return { rule: reason, because: `ended by itself: ${reason}` };
}

/** The reasons of the condition DisruptionTarget. */
const disruptions = new Map<string, (node: string) => string>([
  ["EvictionByEvictionAPI", (node) => `evicted: ${node} is drained`],
  ["DeletionByTaintManager", (node) => `${node} was not ready for longer than the Pod tolerates`],
  ["PreemptionByScheduler", () => "preempted: a more important Pod needs its place"],
  ["DeletionByPodGC", (node) => `${node} is gone`],
]);

function disruptionOf(reason: string, { spec }: Pod): Reason {
  return { rule: reason, because: disruptions.get(reason)?.(spec.nodeName ?? "its node") ?? reason };
}
