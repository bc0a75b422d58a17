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
import {
  type SetDeletion,
  setDeletionEncoder,
  type SetDeletionRecord,
} from "../decisions/explain/set-deletion-record.ts";
import { DecisionLog, type DecisionQuery } from "../machinery/diagnostics/decision-log.ts";
import type { DebugEndpoint } from "../machinery/diagnostics/diagnostics.ts";
import { PlacementLog, type PlacementQuery } from "../scheduler/records/placement-log.ts";
import { badRequest } from "./apiserver/status-errors.ts";

/** The latest decisions of each kind, with their reasons. */
export interface DecisionLogs {
  readonly removals: DecisionLog<RemovalDecision, RemovalRecord>;
  readonly rollouts: DecisionLog<RolloutDecision, RolloutRecord>;
  /** Pods that StatefulSets and DaemonSets delete. */
  readonly deletions: DecisionLog<SetDeletion, SetDeletionRecord>;
  readonly placements: PlacementLog;
}

/** Creates empty logs. */
export function createDecisionLogs(): DecisionLogs {
  return {
    removals: new DecisionLog(removalEncoder),
    rollouts: new DecisionLog(rolloutEncoder),
    deletions: new DecisionLog(setDeletionEncoder),
    placements: new PlacementLog(),
  };
}

/**
 * `GET /debug/decisions?namespace=&name=`: the latest removals and rollouts of a workload, or of all, newest first,
 * and which Pods StatefulSets and DaemonSets deleted.
 * `GET /debug/placements?namespace=&name=`: the node of each Pod, and the reasons for it; with `nodes=none` without the verdicts
 * on every node, and with `limit=N` of the newest only. Throws 400 for other values of these.
 */
export function decisionsEndpoint({
  removals,
  rollouts,
  deletions,
  placements,
}: DecisionLogs): DebugEndpoint {
  const answers = new Map<string, (parameters: URLSearchParams) => object>([
    [
      "/debug/decisions",
      (parameters) => {
        const query = workloadIn(parameters);
        return {
          removals: removals.find(query),
          rollouts: rollouts.find(query),
          deletions: deletions.find(query),
        };
      },
    ],
    ["/debug/placements", (parameters) => ({ placements: placements.find(placementsIn(parameters)) })],
  ]);
  // Encoders return plain JSON; the types of the records do not say so.
  return (path, parameters) => answers.get(path)?.(parameters) as JsonObject | undefined;
}

function workloadIn(parameters: URLSearchParams): DecisionQuery {
  return { namespace: parameters.get("namespace") ?? "", name: parameters.get("name") ?? "" };
}

function placementsIn(parameters: URLSearchParams): PlacementQuery {
  const nodes = parameters.get("nodes") ?? "";
  if (nodes !== "" && nodes !== "none")
    throw badRequest(`nodes: Unsupported value: ${JSON.stringify(nodes)}: supported values: "none"`);
  const limit = parameters.get("limit") ?? "";
  if (!/^\d*$/.test(limit))
    throw badRequest(
      `limit: Invalid value: ${JSON.stringify(limit)}: must be a whole number, and not negative`,
    );
  // As in Kubernetes' lists, 0 means no limit.
  const most = Number(limit);
  return { ...workloadIn(parameters), withNodes: nodes !== "none", ...(most > 0 && { limit: most }) };
}
