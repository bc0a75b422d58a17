import {
  anyText,
  type DocumentOf,
  int32,
  int64,
  list,
  record,
} from "../../../api/documents/document-schema.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "../../../api/field-error.ts";
import { each } from "../../../api/field-checks.ts";
import { validateLabelKey } from "../../../api/labels/validate-selector.ts";
import type { PluginArgsSpec } from "../plugin-entry.ts";
import type { IgnoredResources } from "./filter.ts";
import type { ScoringStrategy, ShapePoint, WeightedResource } from "./scoring-strategy.ts";

/** The settings of NodeResourcesFit. */
export interface NodeResourcesFitArgs extends IgnoredResources {
  readonly scoringStrategy?: ScoringStrategy;
}

/** A resource as a file names it. */
export type ResourceDocument = Partial<WeightedResource>;

export const resourcesSchema = list(
  "The resources that count.",
  record("A resource.", {
    name: anyText("Its name."),
    weight: int64("How much it counts; 0 or absent means 1."),
  }),
);

const schema = record("The arguments of NodeResourcesFit.", {
  ignoredResources: list("Resources that are not looked at.", anyText("The name of a resource.")),
  ignoredResourceGroups: list("Groups of resources that are not looked at.", anyText("The name of a group.")),
  scoringStrategy: record("How nodes are scored.", {
    type: anyText("`LeastAllocated`, `MostAllocated` or `RequestedToCapacityRatio`."),
    resources: resourcesSchema,
    requestedToCapacityRatio: record("With the type RequestedToCapacityRatio.", {
      shape: list(
        "The score by utilization.",
        record("A point.", { utilization: int32("In percent."), score: int32("From 0 to 10.") }),
      ),
    }),
  }),
});

/** The arguments as a file has them. */
type FitArgsDocument = DocumentOf<typeof schema>;

export const nodeResourcesFitArgs: PluginArgsSpec<NodeResourcesFitArgs> = {
  schema,
  setDefaults({ scoringStrategy = {}, ...ignored }: FitArgsDocument) {
    return { ...ignored, scoringStrategy: defaultStrategy(scoringStrategy) };
  },
  validate: (document: FitArgsDocument, path) => ({ errors: validate(document, path), warnings: [] }),
};

function defaultStrategy(strategy: NonNullable<FitArgsDocument["scoringStrategy"]>): ScoringStrategy {
  const { type = "LeastAllocated", requestedToCapacityRatio } = strategy;
  const resources = withWeights(strategy.resources);
  // Validation reports any other type before the plugin is made.
  if (type !== "RequestedToCapacityRatio") return { type: type as "LeastAllocated", ...resources };
  const shape = (requestedToCapacityRatio?.shape ?? []).map((point) => ({
    utilization: 0,
    score: 0,
    ...point,
  }));
  return { type, shape, ...resources };
}

/** Without a list, plugins count CPU and memory. A weight of 0 means the default of 1. */
export function withWeights(list: readonly ResourceDocument[] = []): {
  readonly resources?: readonly WeightedResource[];
} {
  if (list.length === 0) return {};
  return { resources: list.map(({ name = "", weight = 0 }) => ({ name, weight: weight || 1 })) };
}

const strategies = ["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"];

function validate(args: FitArgsDocument, path: string): readonly FieldError[] {
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
