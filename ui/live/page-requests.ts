import type { RemovalRecord } from "../../src/decisions/explain/removal-record.ts";
import type { PlacementRecord } from "../../src/decisions/explain/placement-record.ts";
import type { RolloutRecord } from "../../src/decisions/explain/rollout-record.ts";
import { apiErrorOf, parseResponse } from "../../src/machinery/client/http/response.ts";
import {
  type ActionResult,
  type ClusterFacts,
  type PageAction,
  pageHeader,
} from "../../src/page/contract.ts";

/** The requests of the page besides lists and watches. */
export interface PageRequests {
  readonly facts: () => Promise<ClusterFacts>;
  readonly decisions: () => Promise<DecisionRecords>;
  /** The last placement of a Pod; `undefined` when there is no record of it. */
  readonly placement: (namespace: string, name: string) => Promise<PlacementRecord | undefined>;
  readonly act: (action: PageAction) => Promise<ActionResult>;
}

/** The records of decisions, the newest first. */
export interface DecisionRecords {
  readonly removals: readonly RemovalRecord[];
  readonly rollouts: readonly RolloutRecord[];
}

/** Requests by `fetch`; a refusal throws an `ApiError`. */
export function pageRequests(fetch: typeof globalThis.fetch): PageRequests {
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(path, init);
    const text = await response.text();
    const request = { method: "GET", path } as const;
    if (!response.ok) throw apiErrorOf(request, response.status, text);
    return parseResponse(request, text);
  };
  return {
    facts: async () => (await ask("/cluster.json")) as ClusterFacts,
    decisions: async () => (await ask("/debug/decisions")) as DecisionRecords,
    async placement(namespace, name) {
      const query = new URLSearchParams({ namespace, name });
      const { placements } = (await ask(`/debug/placements?${query}`)) as {
        readonly placements: readonly PlacementRecord[];
      };
      return placements[0];
    },
    act: async (action) =>
      (await ask("/do", {
        method: "POST",
        headers: { "content-type": "application/json", [pageHeader]: "1" },
        body: JSON.stringify(action),
      })) as ActionResult,
  };
}
