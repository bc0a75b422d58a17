import type { JsonObject } from "../api/json.ts";

/** Something that keeps decisions, and finds those of the workloads of a name; empty names stand for any. */
export interface DecisionSource {
  find(workload: { readonly namespace: string; readonly name: string }): readonly { readonly time: string }[];
}

/** Where decisions are to be read. */
export const decisionsPath = "/debug/decisions";

/** Answers `GET /debug/decisions?namespace=&name=` with what all sources have, newest first; other paths with nothing. */
export function answerDecisions(sources: readonly DecisionSource[]) {
  return (path: string, query: URLSearchParams): JsonObject | undefined => {
    if (path !== decisionsPath) return undefined;
    const workload = { namespace: query.get("namespace") ?? "", name: query.get("name") ?? "" };
    const found = sources.flatMap((source) => source.find(workload));
    const decisions = found.toSorted((a, b) => Number(a.time < b.time) - Number(a.time > b.time));
    return { decisions };
  };
}
