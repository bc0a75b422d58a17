import type {
  LimitRange,
  LimitRangeItem,
  PersistentVolumeClaim,
  Pod,
} from "../../../api/generated/core-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { Sent } from "../../../api/sent.ts";
import { formatQuantity } from "../../../api/quantity/format-quantity.ts";
import { compareQuantities, type Quantity } from "../../../api/quantity/quantity.ts";
import { type Amounts, readAmounts } from "../../quota/amounts.ts";
import { podTotals } from "../../quota/pod-totals.ts";

/** Requests and limits of one thing that a LimitRange limits. */
interface Demand {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** Returns why an object is outside the limits of its namespace; `undefined` when it is within. */
export function limitProblem(
  collection: string,
  object: JsonObject,
  ranges: readonly Sent<LimitRange>[],
): string | undefined {
  const problems = ranges
    .flatMap(({ spec = {} }) => spec.limits ?? [])
    .flatMap((item) =>
      demandsOf(collection, object, item.type).flatMap((demand) => problemsOf(item, demand)),
    );
  if (problems.length <= 1) return problems[0];
  return `[${[...new Set(problems)].join(", ")}]`;
}

/** Returns the demands of an object that limits of a type apply to. */
function demandsOf(collection: string, object: JsonObject, type = ""): readonly Demand[] {
  switch (`${collection} ${type}`) {
    case "pods Container":
      return containerDemands(object);
    case "pods Pod":
      return [podDemand(object)];
    case "persistentvolumeclaims PersistentVolumeClaim":
      return [claimDemand(object)];
    default:
      return [];
  }
}

function containerDemands({ spec = {} }: Sent<Pod>): readonly Demand[] {
  const { containers = [], initContainers = [] } = spec;
  return [...containers, ...initContainers].map(({ resources = {} }) => ({
    requests: readAmounts(resources.requests),
    limits: readAmounts(resources.limits),
  }));
}

function podDemand({ spec = {} }: Sent<Pod>): Demand {
  return { requests: podTotals(spec, "requests"), limits: podTotals(spec, "limits") };
}

function claimDemand({ spec = {} }: Sent<PersistentVolumeClaim>): Demand {
  const requests = readAmounts(spec.resources?.requests);
  return { requests, limits: readAmounts(spec.resources?.limits) };
}

function problemsOf(item: Sent<LimitRangeItem>, demand: Demand): readonly string[] {
  const each = (
    member: "min" | "max" | "maxLimitRequestRatio",
    check: (limit: ResourceLimit, own: OwnAmounts) => string | undefined,
  ) =>
    [...readAmounts(item[member])].flatMap(([resource, amount]) => {
      const own = { request: demand.requests.get(resource), limit: demand.limits.get(resource) };
      return check({ resource, amount, type: item.type ?? "" }, own) ?? [];
    });
  const checkMax = item.type === "PersistentVolumeClaim" ? checkMaxOfRequest : checkMaximum;
  return [
    ...each("min", checkMinimum),
    ...each("max", checkMax),
    ...each("maxLimitRequestRatio", checkRatio),
  ];
}

interface ResourceLimit {
  readonly resource: string;
  readonly amount: Quantity;
  readonly type: string;
}

interface OwnAmounts {
  readonly request: Quantity | undefined;
  readonly limit: Quantity | undefined;
}

const isLess = (left: Quantity, right: Quantity) => compareQuantities(left, right) < 0;

function checkMinimum({ resource, amount, type }: ResourceLimit, { request, limit }: OwnAmounts) {
  const rule = `minimum ${resource} usage per ${type} is ${formatQuantity(amount)}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  if (isLess(request, amount)) return `${rule}, but request is ${formatQuantity(request)}`;
  if (limit !== undefined && isLess(limit, amount)) return `${rule}, but limit is ${formatQuantity(limit)}`;
  return undefined;
}

function checkMaximum({ resource, amount, type }: ResourceLimit, { request, limit }: OwnAmounts) {
  const rule = `maximum ${resource} usage per ${type} is ${formatQuantity(amount)}`;
  if (limit === undefined) return `${rule}.  No limit is specified`;
  if (isLess(amount, limit)) return `${rule}, but limit is ${formatQuantity(limit)}`;
  if (request !== undefined && isLess(amount, request))
    return `${rule}, but request is ${formatQuantity(request)}`;
  return undefined;
}

/** Checks a maximum against the request, since claims have no limits. */
function checkMaxOfRequest(limit: ResourceLimit, { request }: OwnAmounts) {
  return checkMaximum(limit, { request, limit: request });
}

function checkRatio({ resource, amount, type }: ResourceLimit, { request, limit }: OwnAmounts) {
  const rule = `${resource} max limit to request ratio per ${type} is ${formatQuantity(amount)}`;
  if (request === undefined || request.nanos === 0n)
    return `${rule}, but no request is specified or request is 0`;
  if (limit === undefined || limit.nanos === 0n) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = Number(limit.nanos) / Number(request.nanos);
  const allowed = Number(amount.nanos) / 1e9;
  return ratio > allowed ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}
