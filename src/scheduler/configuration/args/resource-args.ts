import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../api/field-error.ts";
import { each } from "../../../api/kinds/field-checks.ts";
import { validateLabelKey } from "../../../api/kinds/label-selectors.ts";
import type { BalancedAllocationArgs } from "../../../decisions/placement/node-resources-balanced-allocation/plugin.ts";
import type { NodeResourcesFitArgs } from "../../../decisions/placement/node-resources-fit/plugin.ts";
import type {
  ScoringStrategy,
  ShapePoint,
  WeightedResource,
} from "../../../decisions/placement/node-resources-fit/scoring-strategy.ts";
import type { DocumentShape } from "../document-shape.ts";

/** The arguments of NodeResourcesFit as written. */
export interface FitArgsDocument {
  readonly ignoredResources?: readonly string[];
  readonly ignoredResourceGroups?: readonly string[];
  readonly scoringStrategy?: {
    readonly type?: string;
    readonly resources?: readonly Partial<WeightedResource>[];
    readonly requestedToCapacityRatio?: { readonly shape?: readonly Partial<ShapePoint>[] };
  };
}

/** The arguments of NodeResourcesBalancedAllocation as written. */
export interface BalancedAllocationArgsDocument {
  readonly resources?: readonly Partial<WeightedResource>[];
}

const resources = { list: { members: { name: "string", weight: "int64" } } };

export const fitArgsShape: DocumentShape = {
  members: {
    ignoredResources: { list: "string" },
    ignoredResourceGroups: { list: "string" },
    scoringStrategy: {
      members: {
        type: "string",
        resources,
        requestedToCapacityRatio: {
          members: { shape: { list: { members: { utilization: "int32", score: "int32" } } } },
        },
      },
    },
  },
};

export const balancedAllocationArgsShape: DocumentShape = { members: { resources } };

/** Fills in what was left out. */
export function defaultFitArgs(args: FitArgsDocument): NodeResourcesFitArgs {
  const { scoringStrategy = {}, ...ignored } = args;
  return { ...ignored, scoringStrategy: defaultStrategy(scoringStrategy) };
}

function defaultStrategy(strategy: NonNullable<FitArgsDocument["scoringStrategy"]>): ScoringStrategy {
  const { type = "LeastAllocated", requestedToCapacityRatio } = strategy;
  const resources = weighted(strategy.resources);
  // Validation has looked at the type before anybody uses it.
  if (type !== "RequestedToCapacityRatio") return { type: type as "LeastAllocated", ...resources };
  const shape = (requestedToCapacityRatio?.shape ?? []).map((point) => ({
    utilization: 0,
    score: 0,
    ...point,
  }));
  return { type, shape, ...resources };
}

/** Fills in what was left out. */
export function defaultBalancedAllocationArgs(args: BalancedAllocationArgsDocument): BalancedAllocationArgs {
  return weighted(args.resources);
}

/** Without any, the plugin takes CPU and memory. A weight of 0 is as good as none at all. */
function weighted(list: readonly Partial<WeightedResource>[] = []) {
  if (list.length === 0) return {};
  return { resources: list.map(({ name = "", weight = 0 }) => ({ name, weight: weight || 1 })) };
}

const strategies = ["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"];

/** Looks at the arguments of NodeResourcesFit. */
export function validateFitArgs(args: FitArgsDocument, path: string): readonly FieldError[] {
  const { type, resources: counted } = defaultStrategy(args.scoringStrategy ?? {});
  const at = `${path}.scoringStrategy`;
  const ratio = args.scoringStrategy?.requestedToCapacityRatio;
  return [
    ...each(args.ignoredResources, `${path}.ignoredResources`, validateLabelKey),
    ...each(args.ignoredResourceGroups, `${path}.ignoredResourceGroups`, validateGroup),
    ...(strategies.includes(type) ? [] : [notSupported(`${at}.type`, type, strategies)]),
    ...each(counted, `${at}.resources`, ({ name, weight }, resourceAt) =>
      weight > 0 && weight <= 100
        ? []
        : [invalid(`${resourceAt}.weight`, weight, `resource weight of ${name} not in valid range (0, 100]`)],
    ),
    ...validateRatio(type, ratio, `${at}.requestedToCapacityRatio`),
  ];
}

function validateGroup(group: string, path: string): readonly FieldError[] {
  const divided = group.includes("/") ? [invalid(path, group, "resource group name can't contain '/'")] : [];
  return [...divided, ...validateLabelKey(group, path)];
}

function validateRatio(
  type: string,
  ratio: { readonly shape?: readonly Partial<ShapePoint>[] } | undefined,
  path: string,
): readonly FieldError[] {
  if (type !== "RequestedToCapacityRatio")
    return ratio === undefined
      ? []
      : [forbidden(path, `only with type RequestedToCapacityRatio, not ${type}`)];
  if (ratio === undefined) return [required(path, `must be specified when type is ${type}`)];
  const { shape = [] } = ratio;
  const at = `${path}.shape`;
  if (shape.length === 0) return [required(at, "at least one point must be specified")];
  return each(shape, at, ({ utilization = 0, score = 0 }, pointAt, index) => [
    ...(index > 0 && utilization <= (shape[index - 1]?.utilization ?? 0)
      ? [invalid(`${pointAt}.utilization`, utilization, "values must be sorted in increasing order")]
      : []),
    ...inRange(utilization, `${pointAt}.utilization`, 100),
    ...inRange(score, `${pointAt}.score`, 10),
  ]);
}

function inRange(value: number, path: string, max: number): readonly FieldError[] {
  return value >= 0 && value <= max ? [] : [invalid(path, value, `not in valid range [0, ${max}]`)];
}

/** Looks at the arguments of NodeResourcesBalancedAllocation. */
export function validateBalancedAllocationArgs(
  args: BalancedAllocationArgsDocument,
  path: string,
): readonly FieldError[] {
  const { resources: counted = [] } = defaultBalancedAllocationArgs(args);
  return each(counted, `${path}.resources`, ({ name, weight }, at, index) => [
    ...(counted.slice(0, index).some((other) => other.name === name) ? [duplicate(`${at}.name`, name)] : []),
    ...(weight === 1 ? [] : [invalid(`${at}.weight`, weight, "must be 1")]),
  ]);
}
