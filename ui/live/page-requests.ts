import type { RemovalRecord } from "../../src/decisions/explain/removal-record.ts";
import type { SetDeletionRecord } from "../../src/decisions/explain/set-deletion-record.ts";
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
  type ScaledObjects,
} from "../../src/page/contract.ts";

/** A workload that decisions are recorded of. */
export interface RecordedName {
  readonly namespace: string;
  readonly name: string;
}

/** The requests of the page besides lists and watches. */
export interface PageRequests {
  readonly facts: (signal?: AbortSignal) => Promise<ClusterFacts>;
  /** The decisions about a workload; absent: about all. */
  readonly decisions: (of?: RecordedName) => Promise<Omit<DecisionRecords, "placements">>;
  /** The latest placements, without the verdicts on every node. */
  readonly placements: () => Promise<readonly PlacementRecord[]>;
  /** The last placement of a Pod; `undefined` when there is no record of it. */
  readonly placement: (namespace: string, name: string) => Promise<PlacementRecord | undefined>;
  /** The last lines of a container; absent: they cannot be read. */
  readonly log?: (pod: RecordedName, container: string) => Promise<string>;
  readonly act: (action: PageAction) => Promise<ActionResult>;
  /** The objects of custom kinds with a scale; absent: they cannot be read. */
  readonly scaledObjects?: () => Promise<ScaledObjects>;
  /** Asks the pickers of a workload what a scale would ask them; absent: nothing can ask them. */
  readonly askPickers?: (question: PickerQuestion) => Promise<PickerAnswers>;
}

/** The records of decisions, the newest first. */
export interface DecisionRecords {
  readonly removals: readonly RemovalRecord[];
  readonly rollouts: readonly RolloutRecord[];
  /** Pods that StatefulSets and DaemonSets delete; absent: there are no records of them. */
  readonly deletions?: readonly SetDeletionRecord[];
  readonly placements: readonly PlacementRecord[];
}

/** Limits the placements that are listed: a record has about a kilobyte. */
export const mostPlacements = 1000;

const post = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", [pageHeader]: "1" },
  body: JSON.stringify(body),
});

/** How many lines of a log are shown. */
export const logLines = 100;

function logPath({ namespace, name }: RecordedName, container: string): string {
  const query = new URLSearchParams({ container, tailLines: String(logLines) });
  return `/api/v1/namespaces/${namespace}/pods/${name}/log?${query.toString()}`;
}

/** Requests by `fetch`; a refusal throws an `ApiError`. */
export function pageRequests(fetch: typeof globalThis.fetch): PageRequests {
  const askText = async (path: string, init: RequestInit = {}): Promise<string> => {
    const response = await fetch(path, init);
    const text = await response.text();
    if (!response.ok) throw apiErrorOf({ method: "GET", path }, response.status, text);
    return text;
  };
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> =>
    parseResponse({ method: "GET", path }, await askText(path, init));
  const placements = async (query: Readonly<Record<string, string>>) => {
    const answer = await ask(`/debug/placements?${new URLSearchParams(query).toString()}`);
    return (answer as Pick<DecisionRecords, "placements">).placements;
  };
  return {
    facts: async (signal) =>
      (await ask("/cluster.json", signal === undefined ? {} : { signal })) as ClusterFacts,
    decisions: async (of) => {
      const query = of === undefined ? "" : `?${new URLSearchParams({ ...of }).toString()}`;
      return (await ask(`/debug/decisions${query}`)) as Omit<DecisionRecords, "placements">;
    },
    log: (pod, container) => askText(logPath(pod, container)),
    placements: () => placements({ nodes: "none", limit: String(mostPlacements) }),
    placement: async (namespace, name) => (await placements({ namespace, name }))[0],
    act: async (action) => (await ask("/do", post(action))) as ActionResult,
    scaledObjects: async () => (await ask("/scaled.json")) as ScaledObjects,
    askPickers: async (question) => (await ask("/ask-pickers", post(question))) as PickerAnswers,
  };
}
