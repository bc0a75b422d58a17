import type { JsonObject } from "../api/json.ts";
import { DecisionRecords } from "../controllers/decision-records.ts";
import { RolloutRecords } from "../controllers/deployment/rollout-records.ts";
import type { DebugEndpoint } from "../machinery/diagnostics/diagnostics.ts";
import { PlacementRecords } from "../scheduler/records/placement-records.ts";

/** The latest decisions of every sort, for those who ask why. */
export interface DecisionLogs {
  readonly removals: DecisionRecords;
  readonly rollouts: RolloutRecords;
  readonly placements: PlacementRecords;
}

/** Room for decisions, with nothing in it yet. */
export function createDecisionLogs(): DecisionLogs {
  return {
    removals: new DecisionRecords(),
    rollouts: new RolloutRecords(),
    placements: new PlacementRecords(),
  };
}

/**
 * `GET /debug/decisions?namespace=&name=`: what was decided lately about a workload, or about all, newest first.
 * `GET /debug/placements?namespace=&name=`: where Pods were put, and why there.
 */
export function decisionsEndpoint({ removals, rollouts, placements }: DecisionLogs): DebugEndpoint {
  const answers: Readonly<Record<string, (about: { namespace: string; name: string }) => object>> = {
    "/debug/decisions": (about) => ({ removals: removals.find(about), rollouts: rollouts.find(about) }),
    "/debug/placements": (about) => ({ placements: placements.find(about) }),
  };
  return (path, query) => {
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
    const about = { namespace: query.get("namespace") ?? "", name: query.get("name") ?? "" };
    // Records are plain JSON by their own promise; only their types do not say so.
    return answer?.(about) as JsonObject | undefined;
  };
}
