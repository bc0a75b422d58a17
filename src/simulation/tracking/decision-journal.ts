import { keyOf } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import { decidingRule } from "../../decisions/downscale/reason.ts";
import { removalText, removedPodText, rolloutPassText } from "../../decisions/explain/decision-text.ts";
import { placementSummary } from "../../decisions/explain/placement-reason.ts";
import { removalReason } from "../../decisions/explain/removal-reason.ts";
import type { RemovalDecision } from "../../decisions/explain/removal-record.ts";
import type { RolloutDecision } from "../../decisions/explain/rollout-record.ts";
import type { SetDeletion } from "../../decisions/explain/set-deletion-record.ts";
import type { Placement } from "../../decisions/placement/place-pod.ts";
import type { DecisionListener, DecisionObserver } from "../recording/recorded-decisions.ts";
import type { PodChange } from "./cluster-tracker.ts";
import { workloadResultKey } from "./workload-progress.ts";

/** A decision as a sentence. */
export interface DecisionText {
  readonly at: Instant;
  /** `ReplicaSet default/web-5d`, or the scheduler. */
  readonly by: string;
  readonly text: string;
}

/** Why a controller removes a Pod. */
export interface RemovalText extends DecisionText {
  /** The rule that decides, and the reason it gives. */
  readonly rule: string;
  readonly reason: string;
}

/** A decision whose sentence is made when it is asked for. */
interface Remembered {
  readonly at: Instant;
  readonly by: string;
  readonly text: () => string;
}

/** Keeps at most this many placements; their bindings follow at once. */
const mostPlacements = 500;
/** Keeps at most this many decisions about a workload. */
const mostPerWorkload = 50;

/** The latest decisions of a run: those about each workload, and those about single Pods. */
export class DecisionJournal {
  readonly #now: () => Instant;
  /** The youngest last. */
  readonly #byWorkload = new Map<string, Remembered[]>();
  /** By UID. */
  readonly #removals = new Map<string, RemovalText>();
  /** By key. */
  readonly #placements = new Map<string, Remembered>();
  /** Why Pods that have no node got none at their last attempt, by UID. */
  readonly #rejections = new Map<string, string>();

  readonly #said: DecisionListener | undefined;

  /** With a listener, every new sentence is also passed on: to a recording, for example. */
  constructor(now: () => Instant, said?: DecisionListener) {
    this.#now = now;
    this.#said = said;
  }

  /** For `startSimulatedCluster`. */
  readonly observer: DecisionObserver = {
    removal: (decision) => this.#addRemoval(decision),
    rollout: (decision) => this.#addRollout(decision),
    deletion: (deletion) => this.#addDeletion(deletion),
    placement: ({ placement, preemption }) => {
      const pod = keyOf(placement.pod);
      const by = `the scheduler for Pod ${pod}`;
      const text = () => placementSummary(placement);
      this.#noteRejection(placement, () => [text(), preemption].filter(Boolean).join(" "));
      this.#placements.set(pod, { at: this.#now(), by, text });
      const [oldest] = this.#placements.keys();
      if (this.#placements.size > mostPlacements && oldest !== undefined) this.#placements.delete(oldest);
      this.#said?.("scheduler", { pod, because: text() });
    },
  };

  /** Why a Pod is removed, if a controller has decided that. */
  removalOf(uid: string): RemovalText | undefined {
    return this.#removals.get(uid);
  }

  /** Why a Pod has no node, as the last attempt to place it says; `undefined` when there was none. */
  rejectionOf(uid: string): string | undefined {
    return this.#rejections.get(uid);
  }

  forget(uid: string): void {
    this.#removals.delete(uid);
    this.#rejections.delete(uid);
  }

  /** Returns the decision behind a change of a Pod; changes that the kubelet reports have none. */
  behind({ tracked: { pod, workloads }, kind }: PodChange, at: Instant): DecisionText | undefined {
    if (kind === "deletion-began") return this.removalOf(pod.metadata.uid);
    if (kind === "bound") return textOf(this.#placements.get(keyOf(pod)));
    return kind === "created" ? this.lastOf(workloads, at) : undefined;
  }

  /** The last decision about one of these workloads that was made until an instant. */
  lastOf(workloads: readonly string[], until: Instant): DecisionText | undefined {
    const found = workloads.flatMap((workload) => this.#byWorkload.get(workload) ?? []);
    return textOf(
      found.reduce<Remembered | undefined>(
        (last, each) => (each.at <= until && each.at >= (last?.at ?? 0) ? each : last),
        undefined,
      ),
    );
  }

  #noteRejection({ pod, outcome }: Placement, text: () => string): void {
    const { uid } = pod.metadata;
    if (outcome.kind === "placed") this.#rejections.delete(uid);
    else this.#rejections.set(uid, text());
  }

  #addRemoval({ workload, choice }: RemovalDecision): void {
    const by = workloadResultKey(workload.kind, workload);
    const at = this.#now();
    for (const victim of choice.victims) {
      const [rule, reason] = [decidingRule(victim), removalReason(victim)];
      const text = removedPodText(choice, victim);
      this.#removals.set(victim.pod.metadata.uid, { at, by, text, rule, reason });
    }
    this.#remember(by, () => removalText(choice));
  }

  #addDeletion({ workload, pod, at, rule, reason }: SetDeletion): void {
    const by = workloadResultKey(workload.kind, workload);
    const text = `deletes ${pod.metadata.name}: ${reason}`;
    this.#removals.set(pod.metadata.uid, { at, by, text, rule, reason });
    this.#said?.(workload.kind, { workload: `${workload.namespace}/${workload.name}`, because: text });
  }

  #addRollout({ deployment, plan }: RolloutDecision): void {
    const by = workloadResultKey("Deployment", deployment.metadata);
    this.#remember(by, () => rolloutPassText(plan));
  }

  /** Does not pass on a sentence that repeats the previous one. */
  #remember(by: string, text: () => string): void {
    const remembered = this.#byWorkload.get(by) ?? [];
    this.#byWorkload.set(by, remembered);
    const before = remembered.at(-1);
    remembered.push({ at: this.#now(), by, text });
    if (remembered.length > mostPerWorkload) remembered.shift();
    if (this.#said === undefined) return;
    const [kind = "", workload = ""] = by.split(" ");
    const because = text();
    if (before?.text() !== because) this.#said(kind, { workload, because });
  }
}

function textOf(remembered: Remembered | undefined): DecisionText | undefined {
  return remembered && { ...remembered, text: remembered.text() };
}
