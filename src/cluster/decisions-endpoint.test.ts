import { expect, test } from "vitest";
import { createDecisionLogs, decisionsEndpoint } from "./decisions-endpoint.ts";

const ask = (path: string, query: string) =>
  decisionsEndpoint(createDecisionLogs())(path, new URLSearchParams(query));

test.for(["", "nodes=none&limit=10", "limit=0", "nodes=&limit="])(
  "placements can be asked for with ?%s",
  (query) => {
    expect(ask("/debug/placements", query)).toEqual({ placements: [] });
  },
);

test.for([
  { query: "limit=ten", want: 'limit: Invalid value: "ten": must be a whole number, and not negative' },
  { query: "limit=-1", want: 'limit: Invalid value: "-1": must be a whole number, and not negative' },
  { query: "limit=1.5", want: 'limit: Invalid value: "1.5": must be a whole number, and not negative' },
  { query: "nodes=all", want: 'nodes: Unsupported value: "all": supported values: "none"' },
])("placements are refused for ?$query", ({ query, want }) => {
  expect(() => ask("/debug/placements", query)).toThrow(want);
});

test("there are no other decisions", () => {
  expect(ask("/debug/constructor", "")).toBeUndefined();
});
