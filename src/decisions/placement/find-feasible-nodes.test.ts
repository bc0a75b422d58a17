import { expect, test } from "vitest";
import { feasibleNodesToFind } from "./find-feasible-nodes.ts";

test.for([
  { nodes: 0, want: 0 },
  { nodes: 99, want: 99 },
  { nodes: 100, want: 100 },
  { nodes: 300, want: 144 },
  { nodes: 1000, want: 420 },
  { nodes: 5000, want: 500 },
  { nodes: 6000, want: 300 },
  { nodes: 1000, percentage: 100, want: 1000 },
  { nodes: 1000, percentage: 30, want: 300 },
  { nodes: 1000, percentage: 3, want: 100 },
  { nodes: 50, percentage: 30, want: 50 },
])(
  "of $nodes nodes, $want that will do are enough (percentage $percentage)",
  ({ nodes, percentage, want }) => {
    expect(feasibleNodesToFind(nodes, percentage)).toBe(want);
  },
);
