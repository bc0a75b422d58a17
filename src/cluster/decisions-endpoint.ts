import type { JsonObject } from "../api/json.ts";
import {
  type RemovalDecision,
  removalEncoder,
  type RemovalRecord,
} from "../decisions/explain/removal-record.ts";
import {
  type RolloutDecision,
  rolloutEncoder,
  type RolloutRecord,
} from "../decisions/explain/rollout-record.ts";
import { DecisionLog } from "../machinery/diagnostics/decision-log.ts";
import type { DebugEndpoint } from "../machinery/diagnostics/diagnostics.ts";
import { PlacementLog, type PlacementQuery } from "../scheduler/records/placement-log.ts";

/** The latest decisions of each kind, with their reasons. */
export interface DecisionLogs {
  readonly removals: DecisionLog<RemovalDecision, RemovalRecord>;
  readonly rollouts: DecisionLog<RolloutDecision, RolloutRecord>;
  readonly placements: PlacementLog;
}

/** Empty logs. */
export function createDecisionLogs(): DecisionLogs {
  return {
    removals: new DecisionLog(removalEncoder),
    rollouts: new DecisionLog(rolloutEncoder),
    placements: new PlacementLog(),
  };
}

/**
 * `GET /debug/decisions?namespace=&name=`: the latest removals and rollouts of a workload, or of all, newest first.
 * `GET /debug/placements?namespace=&name=`: the node of each Pod, and the reasons for it; with `nodes=none` without the verdicts
 * on every node, and with `limit=N` of the newest only.
 */
export function decisionsEndpoint({ removals, rollouts, placements }: DecisionLogs): DebugEndpoint {
  const answers: Readonly<Record<string, (query: PlacementQuery) => object>> = {
    "/debug/decisions": (query) => ({ removals: removals.find(query), rollouts: rollouts.find(query) }),
    "/debug/placements": (query) => ({ placements: placements.find(query) }),
  };
  return (path, parameters) => {
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
    const limit = Number(parameters.get("limit") ?? "");
    const query = {
      namespace: parameters.get("namespace") ?? "",
      name: parameters.get("name") ?? "",
      withNodes: parameters.get("nodes") !== "none",
      ...(limit > 0 && { limit }),
    };
    // Encoders return plain JSON; the types of the records do not say so.
    return answer?.(query) as JsonObject | undefined;
  };
}
