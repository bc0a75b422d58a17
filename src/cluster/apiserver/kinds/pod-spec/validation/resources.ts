import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notFound,
  required,
} from "../../../../../api/field-error.ts";
import type { Container, ResourceRequirements } from "../../../../../api/generated/core-v1.ts";
import { isExtendedResource, isHugePages, isNativeResource } from "../../../../../api/resource-names.ts";
import { qualifiedNameProblems } from "../../../../../api/labels/label-syntax.ts";
import { formatQuantity } from "../../../../../api/quantity/format-quantity.ts";
import {
  compareQuantities,
  parseQuantity,
  type Quantity,
  zero,
} from "../../../../../api/quantity/quantity.ts";
import { each, type FieldErrors, none, requiredOneOf } from "../../../../../api/field-checks.ts";
import type { Sent } from "../../../../../api/sent.ts";

type Amounts = Readonly<Record<string, string | number>>;

/** Validates requests, limits and claims of a container; `claimNames` are the Pod's resource claims. */
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

/** Validates an amount of a resource: never negative, and an integer for resources that are counted in units. */
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

/** Validates the resize policy of a container; upstream puts these errors at the list. */
export function validateResizePolicy(
  { resizePolicy }: Sent<Container>,
  path: string,
  podRestartPolicy: string,
): FieldErrors {
  const names = new Set<string>();
  return each(resizePolicy, path, ({ resourceName = "", restartPolicy = "" }, at) => {
    const isRepeated = names.has(resourceName);
    names.add(resourceName);
    const restarts = podRestartPolicy === "Never" && restartPolicy !== "NotRequired";
    const rule = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
    return [
      ...(isRepeated ? [duplicate(at, resourceName)] : none),
      ...requiredOneOf(resourceName, path, ["cpu", "memory"]),
      ...requiredOneOf(restartPolicy, path, ["NotRequired", "RestartContainer"]),
      ...(restarts ? [invalid(path, restartPolicy, rule)] : none),
    ];
  });
}

const containerNames: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);

// Standard names that only quotas and claims use.
const otherNames: ReadonlySet<string> = new Set([
  "configmaps",
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "persistentvolumeclaims",
  "pods",
  "replicationcontrollers",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
  "requests.storage",
  "resourcequotas",
  "secrets",
  "services",
  "services.loadbalancers",
  "services.nodeports",
  "storage",
]);

/** Reports whether the request of a resource may be lower than its limit. */
function mayBeOvercommitted(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** Returns the problems of a resource name in a container's requests or limits. */
function containerResourceProblems(name: string): readonly string[] {
  if (containerNames.has(name)) return [];
  const syntax = qualifiedNameProblems(name);
  if (name.includes("/")) {
    const isFine = isNativeResource(name) || isExtendedResource(name);
    return isFine ? syntax : [...syntax, "doesn't follow extended resource name standard"];
  }
  if (isHugePages(name)) return syntax;
  const foreign =
    syntax.length > 0 || otherNames.has(name) ? [] : ["must be a standard resource type or fully qualified"];
  return [...syntax, ...foreign, "must be a standard resource for containers"];
}
