import { findCondition } from "../../api/conditions.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted, keyOf } from "../../api/object.ts";
import { isReady, isTerminal } from "../../api/pod-state.ts";
import type { Instant } from "../../api/time.ts";
import type { StoreEvent } from "../../cluster/store/store.ts";
import { decidingRule } from "../../decisions/downscale/reason.ts";
import { placementSummary } from "../../decisions/explain/placement-reason.ts";
import { removalReason } from "../../decisions/explain/removal-reason.ts";
import type { DecisionObserver } from "../recording/recorded-decisions.ts";

/** What happened to a Pod while a cluster was simulated. */
export interface PodHistory {
  /** As it was last. */
  pod: Pod;
  /** When it was created; absent for a Pod that was there from the start. */
  readonly createdAt?: Instant;
  /** When it last became ready. */
  readyAt?: Instant;
  /** When its deletion began, or when it ended by itself. */
  wentAt?: Instant;
  /** Why, as far as its controller or its status tells. */
  because?: Departure;
}

/** Why a Pod went. */
export interface Departure {
  /** The rule that chose it, or the reason that Kubernetes has for the disruption. */
  readonly rule: string;
  readonly text: string;
}

/** Follows all Pods of a simulated cluster, and the decisions about them. */
export class PodHistories {
  readonly #histories = new Map<string, PodHistory>();
  readonly #removals = new Map<string, Departure>();
  readonly #placements = new Map<string, string>();
  readonly #deleted: ReadonlySet<string>;

  /** `deleted` are the keys of the Pods that the user deletes. */
  constructor(pods: readonly Pod[], deleted: readonly string[]) {
    for (const pod of pods) this.#histories.set(pod.metadata.uid, { pod });
    this.#deleted = new Set(deleted);
  }

  /** Hears decisions. */
  readonly observer: DecisionObserver = {
    removal: ({ choice }) => {
      for (const victim of choice.victims)
        this.#removals.set(victim.pod.metadata.uid, {
          rule: decidingRule(victim),
          text: removalReason(victim),
        });
    },
    placement: ({ placement, preemption }) => {
      const summary = placementSummary(placement);
      const { uid } = placement.pod.metadata;
      this.#placements.set(uid, preemption === undefined ? summary : `${summary} ${preemption}`);
    },
  };

  /** Hears a commit of a Pod at an instant. */
  committed({ type, record }: StoreEvent, at: Instant): void {
    // The collection of Pods holds nothing else.
    const pod = record.object as unknown as Pod;
    const { uid } = pod.metadata;
    const known = this.#histories.get(uid);
    // Not what the store had before: loading a snapshot is a commit too, and changes nothing about its Pods.
    const before = known?.pod;
    const history = known ?? { pod, createdAt: at };
    this.#histories.set(uid, history);
    history.pod = pod;
    if (isReady(pod) && !(before !== undefined && isReady(before))) history.readyAt = at;
    if (history.wentAt === undefined && isLeaving(pod, type) && !isLeaving(before, "MODIFIED")) {
      history.wentAt = at;
      history.because = this.#whyGone(pod);
    }
  }

  /** All histories, in the order in which the Pods were first seen. */
  all(): readonly PodHistory[] {
    return [...this.#histories.values()];
  }

  /** The last attempt to place a Pod, as a sentence; absent when there was none. */
  placementOf({ metadata }: Pod): string | undefined {
    return this.#placements.get(metadata.uid);
  }

  #whyGone(pod: Pod): Departure {
    const removal = this.#removals.get(pod.metadata.uid);
    if (removal !== undefined) return removal;
    const disruption = findCondition(pod.status?.conditions, "DisruptionTarget");
    if (disruption?.status === "True") return describeDisruption(disruption.reason ?? "", pod);
    if (this.#deleted.has(keyOf(pod))) return { rule: "deleted", text: "deleted by the user" };
    return isTerminal(pod) ? describeEnd(pod) : { rule: "deleted", text: "deleted" };
  }
}

function isLeaving(pod: Pod | undefined, type: StoreEvent["type"]): boolean {
  return pod !== undefined && (type === "DELETED" || isBeingDeleted(pod) || isTerminal(pod));
}

function describeEnd({ status }: Pod): Departure {
  const { phase = "", reason = phase } = status ?? {};
  return { rule: reason, text: `ended by itself: ${reason}` };
}

/** The reasons of the condition DisruptionTarget. */
const disruptions = new Map<string, (node: string) => string>([
  ["EvictionByEvictionAPI", (node) => `evicted: ${node} is drained`],
  ["DeletionByTaintManager", (node) => `${node} was not ready for longer than the Pod tolerates`],
  ["PreemptionByScheduler", () => "preempted: a more important Pod needs its place"],
  ["DeletionByPodGC", (node) => `${node} is gone`],
]);

function describeDisruption(reason: string, { spec }: Pod): Departure {
  return { rule: reason, text: disruptions.get(reason)?.(spec.nodeName ?? "its node") ?? reason };
}
