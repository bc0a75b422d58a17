import type { JsonObject } from "../api/json.ts";
import type { DecisionRecords } from "../controllers/decision-records.ts";
import type { RolloutRecords } from "../controllers/deployment/rollout-records.ts";

/** Answers paths below `/debug/`; `undefined`: not found. */
export type DebugEndpoint = (path: string, query: URLSearchParams) => JsonObject | undefined;

export interface KeptDecisions {
  readonly removals: DecisionRecords;
  readonly rollouts: RolloutRecords;
}

/** `GET /debug/decisions?namespace=&name=`: what was decided lately about a workload, or about all, newest first. */
export function decisionsEndpoint({ removals, rollouts }: KeptDecisions): DebugEndpoint {
  return (path, query) => {
    if (path !== "/debug/decisions") return undefined;
    const workload = { namespace: query.get("namespace") ?? "", name: query.get("name") ?? "" };
    // Records are plain JSON by their own promise; only their types do not say so.
    return { removals: removals.find(workload), rollouts: rollouts.find(workload) } as unknown as JsonObject;
  };
}
