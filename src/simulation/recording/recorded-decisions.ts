import type { JsonObject } from "../../api/json.ts";
import { keyOf } from "../../api/object.ts";
import type { DecisionLogs } from "../../cluster/decisions-endpoint.ts";
import { DecisionRecords } from "../../controllers/decision-records.ts";
import { RolloutRecords } from "../../controllers/deployment/rollout-records.ts";
import type { RemovalRecord } from "../../decisions/explain/removal-record.ts";
import { type MadePlacement, PlacementRecords } from "../../scheduler/records/placement-records.ts";

/** Hears what was decided, and by whom. */
export type DecisionListener = (by: string, what: JsonObject) => void;

/** Decision logs that also report every decision to a listener, in brief. */
export function recordedDecisions(heard: DecisionListener): DecisionLogs {
  return {
    removals: new HeardRemovals(heard),
    rollouts: new HeardRollouts(heard),
    placements: new HeardPlacements(heard),
  };
}

class HeardRemovals extends DecisionRecords {
  readonly #heard: DecisionListener;

  constructor(heard: DecisionListener) {
    super();
    this.#heard = heard;
  }

  override add(record: RemovalRecord): void {
    super.add(record);
    const { workload, removing, of, candidates } = record;
    const goes = candidates.slice(0, removing).map(({ pod, because }) => [pod, because?.rule ?? "all"]);
    this.#heard(workload.kind, { workload: `${workload.namespace}/${workload.name}`, removing, of, goes });
  }
}

class HeardRollouts extends RolloutRecords {
  readonly #heard: DecisionListener;

  constructor(heard: DecisionListener) {
    super();
    this.#heard = heard;
  }

  override add(decided: Parameters<RolloutRecords["add"]>[0]): void {
    super.add(decided);
    const actions = decided.plan.actions.map(({ kind }) => kind).filter((kind) => kind !== "record-event");
    if (actions.length === 0) return;
    const { namespace = "", name } = decided.deployment.metadata;
    this.#heard("Deployment", { workload: `${namespace}/${name}`, pass: decided.plan.kind, actions });
  }
}

class HeardPlacements extends PlacementRecords {
  readonly #heard: DecisionListener;

  constructor(heard: DecisionListener) {
    super();
    this.#heard = heard;
  }

  override add(made: MadePlacement): void {
    super.add(made);
    const { pod, outcome, feasible, examined } = made.placement;
    const result = outcome.kind === "placed" ? { node: outcome.node } : { failure: outcome.kind };
    const { attempt } = made;
    this.#heard(made.profile, {
      pod: keyOf(pod),
      ...result,
      feasible: feasible.length,
      of: examined,
      attempt,
    });
  }
}
