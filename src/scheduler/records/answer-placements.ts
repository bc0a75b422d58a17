import type { PlacementRecord, PlacementRecords } from "./placement-records.ts";

/** An answer to an HTTP request: its code, and its body as JSON. */
export interface PlacementsAnswer {
  readonly code: 200 | 404;
  readonly body: { readonly placements: readonly PlacementRecord[] } | { readonly message: string };
}

/** Answers `GET /debug/placements?namespace=&name=`: the last placement of a Pod, or of each that is remembered. */
export function answerPlacements(records: PlacementRecords, query: URLSearchParams): PlacementsAnswer {
  const namespace = query.get("namespace") ?? "";
  const name = query.get("name") ?? "";
  const placements = records.find({
    ...(namespace !== "" && { namespace }),
    ...(name !== "" && { name }),
  });
  if (name === "" || placements.length > 0) return { code: 200, body: { placements } };
  const pod = namespace === "" ? name : `${namespace}/${name}`;
  return { code: 404, body: { message: `no placement of a Pod ${pod} is remembered` } };
}
