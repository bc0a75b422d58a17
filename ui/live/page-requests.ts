import type { RemovalRecord } from "../../src/decisions/explain/removal-record.ts";
import type { PlacementRecord } from "../../src/decisions/explain/placement-record.ts";
import type { RolloutRecord } from "../../src/decisions/explain/rollout-record.ts";
import { apiErrorOf, parseResponse } from "../../src/machinery/client/http/response.ts";
import {
  type ActionResult,
  type ClusterFacts,
  type PageAction,
  type PickerAnswers,
  type PickerQuestion,
  pageHeader,
} from "../../src/page/contract.ts";

/** The requests of the page besides lists and watches. */
export interface PageRequests {
  readonly facts: (signal?: AbortSignal) => Promise<ClusterFacts>;
  readonly decisions: () => Promise<Omit<DecisionRecords, "placements">>;
  /** The latest placements, without the verdicts on every node. */
  readonly placements: () => Promise<readonly PlacementRecord[]>;
  /** The last placement of a Pod; `undefined` when there is no record of it. */
  readonly placement: (namespace: string, name: string) => Promise<PlacementRecord | undefined>;
  readonly act: (action: PageAction) => Promise<ActionResult>;
  /** Asks the pickers of a workload what a scale would ask them; absent: nothing can ask them. */
  readonly askPickers?: (question: PickerQuestion) => Promise<PickerAnswers>;
}

/** The records of decisions, the newest first. */
export interface DecisionRecords {
  readonly removals: readonly RemovalRecord[];
  readonly rollouts: readonly RolloutRecord[];
  readonly placements: readonly PlacementRecord[];
}

/** Limits the placements that are listed: a record has about a kilobyte. */
export const mostPlacements = 1000;

const post = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", [pageHeader]: "1" },
  body: JSON.stringify(body),
});

/** Requests by `fetch`; a refusal throws an `ApiError`. */
export function pageRequests(fetch: typeof globalThis.fetch): PageRequests {
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(path, init);
    const text = await response.text();
    const request = { method: "GET", path } as const;
    if (!response.ok) throw apiErrorOf(request, response.status, text);
    return parseResponse(request, text);
  };
  const placements = async (query: Readonly<Record<string, string>>) => {
    const answer = await ask(`/debug/placements?${new URLSearchParams(query).toString()}`);
    return (answer as Pick<DecisionRecords, "placements">).placements;
  };
  return {
    facts: async (signal) =>
      (await ask("/cluster.json", signal === undefined ? {} : { signal })) as ClusterFacts,
    decisions: async () => (await ask("/debug/decisions")) as Omit<DecisionRecords, "placements">,
    placements: () => placements({ nodes: "none", limit: String(mostPlacements) }),
    placement: async (namespace, name) => (await placements({ namespace, name }))[0],
    act: async (action) => (await ask("/do", post(action))) as ActionResult,
    askPickers: async (question) => (await ask("/ask-pickers", post(question))) as PickerAnswers,
  };
}
