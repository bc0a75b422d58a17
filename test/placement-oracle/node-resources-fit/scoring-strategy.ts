import { quotient } from "../../../src/decisions/placement/arithmetic.ts";

/** A resource and its weight. */
export interface WeightedResource {
  readonly name: string;
  readonly weight: number;
}

/** A point of a piecewise linear function: the score, 0 to 10, at a utilization in percent. */
export interface ShapePoint {
  readonly utilization: number;
  readonly score: number;
}

/** Which nodes score higher: emptier ones, fuller ones, or by a function of utilization. */
export type ScoringStrategy = { readonly resources?: readonly WeightedResource[] } & (
  | { readonly type: "LeastAllocated" | "MostAllocated" }
  | { readonly type: "RequestedToCapacityRatio"; readonly shape: readonly ShapePoint[] }
);

/** The default: CPU and memory with equal weight. */
export const cpuAndMemory: readonly WeightedResource[] = [
  { name: "cpu", weight: 1 },
  { name: "memory", weight: 1 },
];

/** The usage of a resource of a node with the Pod on it. */
export interface Usage {
  readonly name: string;
  readonly weight: number;
  readonly requested: number;
  readonly allocatable: number;
}

/** The score of a node, 0 to 100, from the usage of every resource it has. */
export function strategyScore(strategy: ScoringStrategy, usages: readonly Usage[]): number {
  switch (strategy.type) {
    case "LeastAllocated":
      return weightedMean(usages, percentFree);
    case "MostAllocated":
      return weightedMean(usages, percentUsed);
    case "RequestedToCapacityRatio":
      return meanOfShape(usages, strategy.shape);
  }
}

function percentFree({ requested, allocatable }: Usage): number {
  return quotient(Math.max(allocatable - requested, 0) * 100, allocatable);
}

function percentUsed({ requested, allocatable }: Usage): number {
  return quotient(Math.min(requested, allocatable) * 100, allocatable);
}

function weightedMean(usages: readonly Usage[], scoreOf: (usage: Usage) => number): number {
  const weights = usages.reduce((sum, { weight }) => sum + weight, 0);
  const scores = usages.reduce((sum, usage) => sum + scoreOf(usage) * usage.weight, 0);
  return weights === 0 ? 0 : quotient(scores, weights);
}

/** upstream: resources that score 0 have no weight here, and the mean is rounded */
function meanOfShape(usages: readonly Usage[], shape: readonly ShapePoint[]): number {
  const scored = usages
    .map((usage) => ({ weight: usage.weight, score: shapeScore(shape, percentUsed(usage)) }))
    .filter(({ score }) => score > 0);
  const weights = scored.reduce((sum, { weight }) => sum + weight, 0);
  const scores = scored.reduce((sum, { score, weight }) => sum + score * weight, 0);
  return weights === 0 ? 0 : Math.round(scores / weights);
}

function shapeScore(shape: readonly ShapePoint[], utilization: number): number {
  const next = shape.findIndex((point) => utilization <= point.utilization);
  const right = shape.at(next);
  const left = next > 0 ? shape[next - 1] : undefined;
  if (right === undefined) return 0;
  if (left === undefined) return right.score * 10;
  const rise = (right.score - left.score) * 10 * (utilization - left.utilization);
  return left.score * 10 + quotient(rise, right.utilization - left.utilization);
}
