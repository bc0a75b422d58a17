import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Deployment } from "../../api/generated/apps-v1.ts";
import { deepEqual } from "../../api/deep-equal.ts";
import { formatMicroTime, type Instant } from "../../api/time.ts";
import { describeLimit } from "../../decisions/explain/describe-limit.ts";
import type { RevisionLimit } from "../../decisions/rollout/limit.ts";
import type { RolloutPlan } from "../../decisions/rollout/plan-rollout.ts";

/** What a Deployment's rollout waits for, as it is kept and shown. */
export interface RolloutRecord {
  readonly time: string;
  readonly workload: {
    readonly kind: "Deployment";
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
  };
  /** What kind of pass it was. */
  readonly pass: RolloutPlan["kind"];
  readonly actions: readonly string[];
  readonly gates: FeatureGates;
  readonly revisions: readonly (RevisionLimit & {
    /** What limits it, for a person. */
    readonly reason: string;
  })[];
}

interface Decided {
  readonly deployment: Deployment;
  readonly plan: RolloutPlan;
  readonly gates: FeatureGates;
  readonly now: Instant;
}

/** The latest rollout decisions, a few of each Deployment; one that says what the last one said is not kept again. */
export class RolloutRecords {
  readonly #perWorkload: number;
  readonly #most: number;
  readonly #records = new Map<string, readonly RolloutRecord[]>();

  constructor({ perWorkload = 20, workloads = 2000 } = {}) {
    this.#perWorkload = perWorkload;
    this.#most = workloads;
  }

  add(decided: Decided): void {
    const record = recordOf(decided);
    const key = `${record.workload.namespace}/${record.workload.name}`;
    const known = this.#records.get(key) ?? [];
    const last = known.at(-1);
    if (record.actions.length === 0 && last !== undefined && saysTheSame(last, record)) return;
    this.#records.delete(key); // the workload is the latest again
    this.#records.set(key, [...known, record].slice(-this.#perWorkload));
    for (const oldest of this.#records.keys()) {
      if (this.#records.size <= this.#most) break;
      this.#records.delete(oldest);
    }
  }

  /** Newest first; empty names stand for any. */
  find({ namespace, name }: { readonly namespace: string; readonly name: string }): readonly RolloutRecord[] {
    return [...this.#records.values()]
      .flat()
      .filter(({ workload }) => namespace === "" || workload.namespace === namespace)
      .filter(({ workload }) => name === "" || workload.name === name)
      .reverse() // of what was decided in one instant the last comes first
      .sort((a, b) => Number(a.time < b.time) - Number(a.time > b.time));
  }
}

/** Whether a record that did nothing adds nothing to the one before it. */
function saysTheSame(last: RolloutRecord, record: RolloutRecord): boolean {
  const { time, actions } = record;
  return deepEqual({ ...last, time, actions }, record);
}

function recordOf({ deployment, plan, gates, now }: Decided): RolloutRecord {
  const { namespace = "", name, uid } = deployment.metadata;
  return {
    time: formatMicroTime(now),
    workload: { kind: "Deployment", namespace, name, uid },
    pass: plan.kind,
    actions: plan.actions.filter((action) => action.kind !== "record-event").map((action) => action.kind),
    gates,
    revisions: plan.limits.map((revision) => ({ ...revision, reason: describeLimit(revision.limit) })),
  };
}
