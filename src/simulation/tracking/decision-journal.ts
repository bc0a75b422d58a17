import type { JsonObject } from "../../api/json.ts";
import { keyOf } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import { describeRevisionLimit } from "../../decisions/explain/describe-limit.ts";
import { placementSummary } from "../../decisions/explain/placement-reason.ts";
import { removalReason } from "../../decisions/explain/removal-reason.ts";
import type { RemovalDecision } from "../../decisions/explain/removal-record.ts";
import type { RolloutDecision } from "../../decisions/explain/rollout-record.ts";
import type { ClusterDecision } from "../recording/recorded-decisions.ts";
import type { PodChange } from "./cluster-tracker.ts";
import { workloadKey } from "./workload-progress.ts";

/** A decision as a sentence. */
export interface DecisionText {
  readonly at: Instant;
  /** `ReplicaSet default/web-5d`, or the scheduler. */
  readonly by: string;
  readonly text: string;
}

/** A decision whose sentence is made when it is asked for. */
interface Remembered {
  readonly at: Instant;
  readonly by: string;
  readonly text: () => string;
}

/** So many placements are remembered: bindings follow within moments. */
const mostPlacements = 500;
/** So many Pods of a removal are named. */
const namedPods = 5;

/** The latest decisions of a run: those about each workload, and those about single Pods. */
export class DecisionJournal {
  readonly #now: () => Instant;
  readonly #byWorkload = new Map<string, Remembered>();
  /** By UID. */
  readonly #removals = new Map<string, DecisionText>();
  readonly #placements = new Map<string, Remembered>();

  readonly #isRecorded: boolean;

  constructor(now: () => Instant, isRecorded: boolean) {
    this.#now = now;
    this.#isRecorded = isRecorded;
  }

  /** Remembers a decision; the result is its sentence, where there is a recording. */
  readonly add = (taken: ClusterDecision): JsonObject | undefined => {
    switch (taken.kind) {
      case "removal":
        return this.#addRemoval(taken.decision);
      case "rollout":
        return this.#addRollout(taken.decision);
      case "placement": {
        const { placement } = taken.decision;
        const { pod } = placement;
        const by = `the scheduler for Pod ${keyOf(pod)}`;
        const text = () => placementSummary(placement);
        this.#placements.set(keyOf(pod), { at: this.#now(), by, text });
        const [oldest] = this.#placements.keys();
        if (this.#placements.size > mostPlacements && oldest !== undefined) this.#placements.delete(oldest);
        return this.#recorded(text);
      }
    }
  };

  /** Why a Pod is removed, if a controller has decided that. */
  removalOf(uid: string): DecisionText | undefined {
    return this.#removals.get(uid);
  }

  forget(uid: string): void {
    this.#removals.delete(uid);
  }

  /** The decision that a change of a Pod came from; what happens to Pods on their nodes is not decided. */
  behind({ tracked: { pod, workloads }, kind }: PodChange): DecisionText | undefined {
    if (kind === "deletion-began") return this.removalOf(pod.metadata.uid);
    if (kind === "bound") return textOf(this.#placements.get(keyOf(pod)));
    return kind === "created" ? this.lastOf(workloads) : undefined;
  }

  /** The last decision about one of these workloads. */
  lastOf(workloads: readonly string[]): DecisionText | undefined {
    const found = workloads.map((workload) => this.#byWorkload.get(workload));
    return textOf(
      found.reduce(
        (last, each) => (each !== undefined && each.at >= (last?.at ?? 0) ? each : last),
        undefined,
      ),
    );
  }

  #recorded(text: () => string): JsonObject | undefined {
    return this.#isRecorded ? { because: text() } : undefined;
  }

  #addRemoval(decision: RemovalDecision): JsonObject | undefined {
    const { workload, choice } = decision;
    const by = workloadKey(workload.kind, workload);
    const [removing, of] = [choice.victims.length, choice.victims.length + choice.survivors.length];
    const at = this.#now();
    for (const victim of choice.victims) {
      const { uid, name } = victim.pod.metadata;
      const text = `removes ${removing} of ${of} Pods, ${name} because of ${removalReason(victim)}`;
      this.#removals.set(uid, { at, by, text });
    }
    const text = () => removalText(decision);
    this.#byWorkload.set(by, { at, by, text });
    return this.#recorded(text);
  }

  #addRollout({ deployment, plan }: RolloutDecision): JsonObject | undefined {
    const by = workloadKey("Deployment", deployment.metadata);
    const text = () => plan.limits.map(describeRevisionLimit).join("; ") || plan.kind;
    this.#byWorkload.set(by, { at: this.#now(), by, text });
    return this.#recorded(text);
  }
}

function textOf(remembered: Remembered | undefined): DecisionText | undefined {
  return remembered && { ...remembered, text: remembered.text() };
}

function removalText({ choice: { victims, survivors } }: RemovalDecision): string {
  const reasons = victims
    .slice(0, namedPods)
    .map((victim) => `${victim.pod.metadata.name} because of ${removalReason(victim)}`);
  const more = victims.length > namedPods ? `, and ${victims.length - namedPods} more` : "";
  return `removes ${victims.length} of ${victims.length + survivors.length} Pods: ${reasons.join("; ")}${more}`;
}
