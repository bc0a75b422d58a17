import { findCondition } from "../../src/api/conditions.ts";
import type { Pod, PodCondition } from "../../src/api/generated/core-v1.ts";
import { isBeingDeleted } from "../../src/api/object.ts";
import { controllerOf } from "../../src/api/owner-references.ts";
import type { DecisionRecords } from "../live/page-requests.ts";

/** Who ended a Pod, and why. */
export interface PodEnd {
  /** A component, a controller by its name, or that it is not known. */
  readonly by: string;
  readonly sentence: string;
  /** The rule of the removal order that decided, and the Pod that it was compared with. */
  readonly rule?: string;
  readonly rival?: string;
  /** When it was decided, where that is recorded. */
  readonly time?: string;
  /** Whether a decision about its owner is recorded. */
  readonly isRecorded: boolean;
}

/** A Pod that was disrupted, by its condition. */
export interface Disruption {
  readonly by: string;
  readonly sentence: string;
  readonly time: string | undefined;
}

/** The reasons of the condition DisruptionTarget: who sets it, and what it says about the node. */
interface Disruptor {
  readonly by: string;
  readonly say: (node: string) => string;
}
const disruptions: ReadonlyMap<string, Disruptor> = new Map<string, Disruptor>([
  [
    "EvictionByEvictionAPI",
    { by: "an eviction", say: (node) => `it was evicted by a request, as a drain of ${node} sends them` },
  ],
  [
    "DeletionByTaintManager",
    { by: "a taint", say: (node) => `${node} has a taint that it does not tolerate any longer` },
  ],
  [
    "PreemptionByScheduler",
    { by: "the scheduler", say: () => "it was preempted: a more important Pod needs its place" },
  ],
  ["DeletionByPodGC", { by: "the Pod garbage collector", say: (node) => `${node} is gone` }],
  ["TerminationByKubelet", { by: "the kubelet", say: (node) => `${node} had to make room` }],
]);

/** What its condition says about the disruption of a Pod; `undefined` where it was not disrupted. */
export function disruptionOf({ spec, status }: Pod): Disruption | undefined {
  const condition = findCondition(status?.conditions, "DisruptionTarget");
  if (condition?.status !== "True") return undefined;
  return { ...disruptorOf(condition, spec?.nodeName ?? "its node"), time: condition.lastTransitionTime };
}

function disruptorOf(
  { reason = "", message = "" }: PodCondition,
  node: string,
): Pick<Disruption, "by" | "sentence"> {
  const known = disruptions.get(reason);
  if (known === undefined) return { by: reason, sentence: message };
  return { by: known.by, sentence: message === "" ? known.say(node) : `${known.say(node)} (${message})` };
}

type EndRecords = Pick<DecisionRecords, "removals" | "deletions">;

/** Why a Pod ends or has ended; `undefined` while it goes on. */
export function podEnd(pod: Pod, records: EndRecords, isGone: boolean): PodEnd | undefined {
  const { phase } = pod.status ?? {};
  if (!isGone && !isBeingDeleted(pod) && phase !== "Failed" && phase !== "Succeeded") return undefined;
  return recordedEnd(pod, records) ?? disruptedEnd(pod) ?? endByItself(pod) ?? unknownEnd(pod);
}

function recordedEnd(
  { metadata: { uid } }: Pod,
  { removals, deletions = [] }: EndRecords,
): PodEnd | undefined {
  for (const { workload, candidates, time } of removals) {
    const found = candidates.find((each) => each.uid === uid && each.verdict === "goes");
    if (found === undefined) continue;
    const { because, reason } = found;
    return {
      by: `${workload.kind} ${workload.name}`,
      sentence: reason,
      time,
      isRecorded: true,
      ...(because !== undefined && { rule: because.rule, rival: because.against.pod }),
    };
  }
  const deletion = deletions.find((each) => each.uid === uid);
  if (deletion === undefined) return undefined;
  const { workload, rule, reason, time } = deletion;
  return { by: `${workload.kind} ${workload.name}`, sentence: reason, rule, time, isRecorded: true };
}

function disruptedEnd(pod: Pod): PodEnd | undefined {
  const disruption = disruptionOf(pod);
  if (disruption === undefined) return undefined;
  const { by, sentence, time } = disruption;
  return { by, sentence, isRecorded: false, ...(time !== undefined && { time }) };
}

function endByItself({ status }: Pod): PodEnd | undefined {
  const { phase, reason = "", message = "" } = status ?? {};
  if (phase !== "Succeeded" && phase !== "Failed") return undefined;
  const how = phase === "Succeeded" ? "its containers have ended" : "a container has failed";
  const said = [reason, message].filter(Boolean).join(": ");
  return { by: "itself", sentence: said === "" ? how : `${how} (${said})`, isRecorded: false };
}

function unknownEnd(pod: Pod): PodEnd {
  const owner = controllerOf(pod);
  const others = owner === undefined ? "" : `, or its ${owner.kind} ${owner.name} is gone`;
  return {
    by: "no recorded decision",
    sentence: `a user or another program deleted it${others}`,
    isRecorded: false,
  };
}
