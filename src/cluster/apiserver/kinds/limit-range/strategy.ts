import { duplicate, type FieldError, forbidden, invalid } from "../../../../api/field-error.ts";
import type { LimitRange, LimitRangeItem } from "../../../../api/generated/core-v1.ts";
import { qualifiedNameProblems } from "../../../../api/labels/label-syntax.ts";
import { formatQuantity } from "../../../../api/quantity/format-quantity.ts";
import { compareQuantities, parseQuantity, type Quantity } from "../../../../api/quantity/quantity.ts";
import { each, type FieldErrors, none } from "../../../../api/field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";

/** The strategy of LimitRanges. */
export const limitRangeStrategy: KindStrategy<Sent<LimitRange>> = {
  defaults(range) {
    const { limits = [] } = range.spec ?? {};
    if (!limits.some(({ type }) => type === "Container")) return range;
    return { ...range, spec: { ...range.spec, limits: limits.map(containerDefaults) } };
  },
  validate({ spec = {} }) {
    const taken = new Set<string>();
    return each(spec.limits, "spec.limits", (limit, at) => {
      const { type = "" } = limit;
      const isRepeated = taken.has(type);
      taken.add(type);
      return [
        ...typeProblems(type).map((problem) => invalid(`${at}.type`, type, problem)),
        ...(isRepeated ? [duplicate(`${at}.type`, type)] : none),
        ...validateDefaultsOfPods(limit, at),
        ...validateOrder(limit, at),
      ];
    });
  },
  unconditionalUpdate: true,
  createOnUpdate: true,
};

/**
 * Returns the defaults of containers: the largest limit, and as request the default limit or else the smallest amount.
 */
function containerDefaults(item: Sent<LimitRangeItem>): Sent<LimitRangeItem> {
  if (item.type !== "Container") return item;
  const limits = { ...item.max, ...item.default };
  const requests = { ...item.min, ...limits, ...item.defaultRequest };
  return {
    ...item,
    ...(Object.keys(limits).length > 0 && { default: limits }),
    ...(Object.keys(requests).length > 0 && { defaultRequest: requests }),
  };
}

function typeProblems(type: string): readonly string[] {
  const syntax = qualifiedNameProblems(type);
  if (syntax.length > 0 || type.includes("/")) return syntax;
  return ["Pod", "Container", "PersistentVolumeClaim"].includes(type)
    ? []
    : ["must be a standard limit type or fully qualified"];
}

/** Validates that limits of whole Pods have no defaults for containers. */
function validateDefaultsOfPods(limit: Sent<LimitRangeItem>, path: string): FieldErrors {
  if (limit.type !== "Pod") return none;
  return (["default", "defaultRequest"] as const).flatMap((member) =>
    Object.keys(limit[member] ?? {}).length === 0
      ? none
      : [forbidden(`${path}.${member}`, "may not be specified when `type` is 'Pod'")],
  );
}

type Amounts = "min" | "max" | "default" | "defaultRequest";

const titles: Readonly<Record<Amounts, string>> = {
  min: "min value",
  max: "max value",
  default: "default value",
  defaultRequest: "default request value",
};

/** Pairs of fields of which the first must not be larger, and where the error is reported. */
const ordered: readonly (readonly [lower: Amounts, upper: Amounts, at: Amounts])[] = [
  ["min", "max", "min"],
  ["min", "defaultRequest", "defaultRequest"],
  ["defaultRequest", "max", "defaultRequest"],
  ["defaultRequest", "default", "defaultRequest"],
  ["min", "default", "default"],
  ["default", "max", "default"],
];

function validateOrder(limit: Sent<LimitRangeItem>, path: string): FieldErrors {
  const names = new Set(
    (["min", "max", "default", "defaultRequest"] as const).flatMap((member) =>
      Object.keys(limit[member] ?? {}),
    ),
  );
  const errors: FieldError[] = [];
  for (const name of names) {
    const amount = (member: Amounts) => parseQuantity(own(limit[member], name));
    for (const [lower, upper, at] of ordered) {
      const [low, high] = [amount(lower), amount(upper)];
      if (low === undefined || high === undefined || compareQuantities(low, high) <= 0) continue;
      const shown = at === lower ? low : high;
      errors.push(
        invalid(`${path}.${at}[${name}]`, formatQuantity(shown), greater([lower, low], [upper, high])),
      );
    }
  }
  return errors;
}

function greater(
  [lower, low]: readonly [Amounts, Quantity],
  [upper, high]: readonly [Amounts, Quantity],
): string {
  const limit = lower === "defaultRequest" && upper === "default" ? "default limit value" : titles[upper];
  return `${titles[lower]} ${formatQuantity(low)} is greater than ${limit} ${formatQuantity(high)}`;
}

function own(amounts: Readonly<Record<string, string | number>> | undefined, name: string) {
  return amounts !== undefined && Object.hasOwn(amounts, name) ? amounts[name] : undefined;
}
