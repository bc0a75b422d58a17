import { quotient } from "./arithmetic.ts";

/** Fewer nodes than this are always all looked at. */
const fewNodes = 100;
const leastPercentage = 5;

/** How many feasible nodes to look for among `nodes`; 0 percent leaves the share to the size of the cluster. */
export function feasibleNodesToFind(nodes: number, percentageOfNodesToScore = 0): number {
  if (nodes < fewNodes) return nodes;
  const percentage = percentageOfNodesToScore > 0 ? percentageOfNodesToScore : shareOf(nodes);
  if (percentage >= 100) return nodes;
  return Math.max(quotient(nodes * percentage, 100), fewNodes);
}

/** Half of a small cluster, less of a larger one. */
function shareOf(nodes: number): number {
  return Math.max(50 - quotient(nodes, 125), leastPercentage);
}
