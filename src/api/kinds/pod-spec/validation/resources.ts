import { type FieldError, forbidden, invalid, notFound, required } from "../../../field-error.ts";
import type { ResourceRequirements } from "../../../generated/core-v1.ts";
import { formatQuantity } from "../../../quantity/format-quantity.ts";
import { compareQuantities, parseQuantity, type Quantity, zero } from "../../../quantity/quantity.ts";
import { each, type FieldErrors, none } from "../../field-checks.ts";
import type { Sent } from "../../sent.ts";
import {
  containerResourceProblems,
  isExtendedResource,
  isHugePages,
  mayBeOvercommitted,
} from "./resource-names.ts";

type Amounts = Readonly<Record<string, string | number>>;

/** Validates what a container asks for and may use; `claimNames` are the Pod's resource claims. */
export function validateResources(
  resources: Sent<ResourceRequirements> | undefined,
  path: string,
  claimNames: ReadonlySet<string>,
): FieldErrors {
  const { limits = {}, requests = {}, claims } = resources ?? {};
  return [
    ...validateAmounts(limits, `${path}.limits`),
    ...validateAmounts(requests, `${path}.requests`),
    ...validateRequestsFit(requests, limits, path),
    ...validateHugePages({ ...limits, ...requests }, path),
    ...each(claims, `${path}.claims`, ({ name = "" }, at) => {
      if (name === "") return [required(at)];
      return claimNames.has(name) ? none : [unknownClaim(name, at, claimNames)];
    }),
  ];
}

function unknownClaim(name: string, path: string, claimNames: ReadonlySet<string>): FieldError {
  const known = claimNames.size === 0 ? " which is empty" : `: ${firstOf(claimNames).join(", ")}`;
  return notFound(path, name, `must be one of the names in pod.spec.resourceClaims${known}`);
}

function firstOf(names: ReadonlySet<string>): readonly string[] {
  const first: string[] = [];
  for (const name of names) {
    first.push(name);
    if (first.length === 10) break;
  }
  return first.sort();
}

function validateAmounts(amounts: Amounts, path: string): FieldErrors {
  return Object.entries(amounts).flatMap(([name, amount]) => {
    const at = `${path}[${name}]`;
    const names = containerResourceProblems(name).map((problem) => invalid(at, name, problem));
    return [...names, ...validateAmount(name, parseQuantity(amount) ?? zero, at)];
  });
}

/** Validates an amount of a resource: never negative, and whole where the resource comes in units. */
export function validateAmount(name: string, amount: Quantity, path: string): FieldErrors {
  if (amount.nanos < 0n) return [invalid(path, formatQuantity(amount), "must be greater than or equal to 0")];
  const isBroken = amount.nanos % 1_000_000_000n !== 0n && isExtendedResource(name);
  return isBroken ? [invalid(path, formatQuantity(amount), "must be an integer")] : none;
}

// upstream puts these errors at the whole list of requests or limits
function validateRequestsFit(requests: Amounts, limits: Amounts, path: string): FieldErrors {
  return Object.entries(requests).flatMap(([name, amount]) => {
    const request = parseQuantity(amount) ?? zero;
    const limit = Object.hasOwn(limits, name) ? parseQuantity(limits[name]) : undefined;
    if (limit === undefined) {
      const rule = "Limit must be set for non overcommitable resources";
      return mayBeOvercommitted(name) ? none : [required(`${path}.limits`, rule)];
    }
    const order = compareQuantities(request, limit);
    if (order === 0 || (order < 0 && mayBeOvercommitted(name))) return none;
    const relation = mayBeOvercommitted(name) ? "less than or equal to" : "equal to";
    const rule = `must be ${relation} ${name} limit of ${formatQuantity(limit)}`;
    return [invalid(`${path}.requests`, formatQuantity(request), rule)];
  });
}

function validateHugePages(amounts: Amounts, path: string): FieldErrors {
  const names = Object.keys(amounts);
  const alone = names.some(isHugePages) && !names.includes("cpu") && !names.includes("memory");
  return alone ? [forbidden(path, "HugePages require cpu or memory")] : none;
}
