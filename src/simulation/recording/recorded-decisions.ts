import type { JsonObject } from "../../api/json.ts";
import { keyOf } from "../../api/object.ts";
import type { DecisionLogs } from "../../cluster/decisions-endpoint.ts";
import { decidingRule } from "../../decisions/downscale/reason.ts";
import type { PlacementDecision } from "../../decisions/explain/placement-record.ts";
import { type RemovalDecision, removalEncoder } from "../../decisions/explain/removal-record.ts";
import { type RolloutDecision, rolloutEncoder } from "../../decisions/explain/rollout-record.ts";
import { type SetDeletion, setDeletionEncoder } from "../../decisions/explain/set-deletion-record.ts";
import { type DecisionEncoder, DecisionLog } from "../../machinery/diagnostics/decision-log.ts";
import { PlacementLog } from "../../scheduler/records/placement-log.ts";

/** Is called with a summary of each decision and the name of the component that made it. */
export type DecisionListener = (by: string, what: JsonObject) => void;

/** Is called with whole decisions, of the kinds it has a member for. */
export interface DecisionObserver {
  readonly removal?: (decision: RemovalDecision) => void;
  readonly rollout?: (decision: RolloutDecision) => void;
  /** Of a Pod of a StatefulSet or DaemonSet. */
  readonly deletion?: (deletion: SetDeletion) => void;
  readonly placement?: (decision: PlacementDecision) => void;
}

/** Decision logs that also pass a summary of every decision to a listener, and the decision itself to an observer. */
export function recordedDecisions(heard: DecisionListener, observer: DecisionObserver = {}): DecisionLogs {
  return {
    removals: new ObservedLog(removalEncoder, (decision) => {
      hearRemoval(decision, heard);
      observer.removal?.(decision);
    }),
    rollouts: new ObservedLog(rolloutEncoder, (decision) => {
      hearRollout(decision, heard);
      observer.rollout?.(decision);
    }),
    deletions: new ObservedLog(setDeletionEncoder, (deletion) => {
      hearDeletion(deletion, heard);
      observer.deletion?.(deletion);
    }),
    placements: new ObservedPlacements((decision) => {
      hearPlacement(decision, heard);
      observer.placement?.(decision);
    }),
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

function hearRemoval({ workload, choice }: RemovalDecision, heard: DecisionListener): void {
  const { victims, survivors } = choice;
  const goes = victims.map((victim) => [victim.pod.metadata.name, decidingRule(victim)]);
  const [removing, of] = [victims.length, victims.length + survivors.length];
  heard(workload.kind, { workload: `${workload.namespace}/${workload.name}`, removing, of, goes });
}

function hearRollout({ deployment, plan }: RolloutDecision, heard: DecisionListener): void {
  const actions = plan.actions.map(({ kind }) => kind).filter((kind) => kind !== "record-event");
  if (actions.length === 0) return;
  const { namespace = "", name } = deployment.metadata;
  heard("Deployment", { workload: `${namespace}/${name}`, pass: plan.kind, actions });
}

function hearDeletion({ workload, pod, rule }: SetDeletion, heard: DecisionListener): void {
  const { kind, namespace, name } = workload;
  heard(kind, { workload: `${namespace}/${name}`, goes: [[pod.metadata.name, rule]] });
}

function hearPlacement({ placement, profile, attempt }: PlacementDecision, heard: DecisionListener): void {
  const { pod, outcome, feasible, examined } = placement;
  const result = outcome.kind === "placed" ? { node: outcome.node } : { failure: outcome.kind };
  heard(profile, { pod: keyOf(pod), ...result, feasible: feasible.length, of: examined, attempt });
}
