import type { JsonObject } from "../../api/json.ts";
import { keyOf } from "../../api/object.ts";
import type { DecisionLogs } from "../../cluster/decisions-endpoint.ts";
import type { PlacementDecision } from "../../decisions/explain/placement-record.ts";
import { type RemovalDecision, removalEncoder } from "../../decisions/explain/removal-record.ts";
import { type RolloutDecision, rolloutEncoder } from "../../decisions/explain/rollout-record.ts";
import { type DecisionEncoder, DecisionLog } from "../../machinery/diagnostics/decision-log.ts";
import { PlacementLog } from "../../scheduler/records/placement-log.ts";

/** A decision of a component, with all that it was made from. */
export type ClusterDecision =
  | { readonly kind: "removal"; readonly decision: RemovalDecision }
  | { readonly kind: "rollout"; readonly decision: RolloutDecision }
  | { readonly kind: "placement"; readonly decision: PlacementDecision };

/** A decision in brief. */
export interface DecisionSummary {
  /** The kind of the workload, or the profile of the scheduler. */
  readonly by: string;
  readonly what: JsonObject;
}

/** Is called with each decision and a summary of it. */
export type DecisionListener = (summary: DecisionSummary, decision: ClusterDecision) => void;

/** Decision logs that also pass a summary of every decision to a listener. */
export function recordedDecisions(heard: DecisionListener): DecisionLogs {
  return {
    removals: new ObservedLog(removalEncoder, (decision) => hearRemoval(decision, heard)),
    rollouts: new ObservedLog(rolloutEncoder, (decision) => hearRollout(decision, heard)),
    placements: new ObservedPlacements((decision) => hearPlacement(decision, heard)),
  };
}

class ObservedLog<Decision, DecisionRecord> extends DecisionLog<Decision, DecisionRecord> {
  readonly #onAdd: (decision: Decision) => void;

  constructor(encoder: DecisionEncoder<Decision, DecisionRecord>, onAdd: (decision: Decision) => void) {
    super(encoder);
    this.#onAdd = onAdd;
  }

  override add(decision: Decision): void {
    super.add(decision);
    this.#onAdd(decision);
  }
}

class ObservedPlacements extends PlacementLog {
  readonly #onAdd: (decision: PlacementDecision) => void;

  constructor(onAdd: (decision: PlacementDecision) => void) {
    super();
    this.#onAdd = onAdd;
  }

  override add(decision: PlacementDecision): void {
    super.add(decision);
    this.#onAdd(decision);
  }
}

function hearRemoval(decision: RemovalDecision, heard: DecisionListener): void {
  const { workload, choice } = decision;
  const { victims, survivors } = choice;
  const goes = victims.map(({ pod, because }) => [pod.metadata.name, because?.rule ?? "all"]);
  const [removing, of] = [victims.length, victims.length + survivors.length];
  const what = { workload: `${workload.namespace}/${workload.name}`, removing, of, goes };
  heard({ by: workload.kind, what }, { kind: "removal", decision });
}

function hearRollout(decision: RolloutDecision, heard: DecisionListener): void {
  const { deployment, plan } = decision;
  const actions = plan.actions.map(({ kind }) => kind).filter((kind) => kind !== "record-event");
  if (actions.length === 0) return;
  const { namespace = "", name } = deployment.metadata;
  const what = { workload: `${namespace}/${name}`, pass: plan.kind, actions };
  heard({ by: "Deployment", what }, { kind: "rollout", decision });
}

function hearPlacement(decision: PlacementDecision, heard: DecisionListener): void {
  const { placement, profile, attempt } = decision;
  const { pod, outcome, feasible, examined } = placement;
  const result = outcome.kind === "placed" ? { node: outcome.node } : { failure: outcome.kind };
  const what = { pod: keyOf(pod), ...result, feasible: feasible.length, of: examined, attempt };
  heard({ by: profile, what }, { kind: "placement", decision });
}
