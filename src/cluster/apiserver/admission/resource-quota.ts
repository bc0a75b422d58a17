import type { ResourceQuota, Container, Pod, PodSpec } from "../../../api/generated/core-v1.ts";
import { deepEqual } from "../../../api/deep-equal.ts";
import type { JsonObject } from "../../../api/json.ts";
import { compareQuantities, zero } from "../../../api/quantity/quantity.ts";
import type { Instant } from "../../../api/time.ts";
import type { Sent } from "../../../api/sent.ts";
import {
  type Amounts,
  amountsText,
  amountTexts,
  differenceOf,
  only,
  readAmounts,
  sumOfAmounts,
} from "../../quota/amounts.ts";
import { limitedBy, limitTexts, namespaceUsage } from "../../quota/namespace-usage.ts";
import { isInScope } from "../../quota/scopes.ts";
import { usageOf } from "../../quota/usage.ts";
import type { ServerContext } from "../server-context.ts";
import { type Admission, admit, deny } from "./admission.ts";

const quotas = "resourcequotas";

/** A write of a namespaced object. */
export interface QuotaWrite {
  readonly collection: string;
  readonly object: JsonObject;
  /** The version an update replaces. */
  readonly previous?: JsonObject | undefined;
}

/** A quota, and what a write adds to its usage. */
export interface QuotaCharge {
  readonly quota: ResourceQuota;
  readonly used: Amounts;
}

/** Kinds whose usage an update can change. */
const changing: ReadonlySet<string> = new Set(["pods", "services", "persistentvolumeclaims"]);

/**
 * Admits a write to the quotas of its namespace: returns the charge of each quota, which the caller commits together
 * with the write. Counts the usage of a quota that its controller has not counted yet.
 */
export function admitToQuotas(
  context: Pick<ServerContext, "store" | "clock">,
  write: QuotaWrite,
): Admission<readonly QuotaCharge[]> {
  if (write.previous !== undefined && !changing.has(write.collection)) return admit([]);
  const now = context.clock.now();
  const charges: QuotaCharge[] = [];
  for (const quota of quotasOver(context, write)) {
    const limited = limitedBy(quota);
    const missing = isNewPod(write) ? missingAmounts(write.object, limited) : "";
    if (missing !== "") return deny(`failed quota: ${quota.metadata.name}: must specify ${missing}`);
    const requested = only(addedBy(write, quota, now), limited);
    if (requested.size === 0) continue;
    const used = usedOf(context, quota, now);
    const exceeded = exceededBy(requested, { used, limited });
    if (exceeded.size > 0) return deny(refusal(quota, exceeded, { requested, used, limited }));
    charges.push({ quota, used: sumOfAmounts(used, requested) });
  }
  return admit(charges);
}

const isNewPod = ({ collection, previous }: QuotaWrite) => collection === "pods" && previous === undefined;
const nothing: Amounts = new Map();

/** Returns the quota with its new usage. */
export function chargedQuota({ quota, used }: QuotaCharge): JsonObject {
  const status = { hard: limitTexts(quota), used: amountTexts(used) };
  return { ...quota, status } as unknown as JsonObject;
}

function quotasOver({ store }: Pick<ServerContext, "store">, write: QuotaWrite): readonly ResourceQuota[] {
  const { namespace } = write.object["metadata"] as { readonly namespace?: string };
  if (namespace === undefined || namespace === "") return [];
  const found: ResourceQuota[] = [];
  for (const { object } of store.collection(quotas).records({ namespace })) {
    const quota = object as unknown as ResourceQuota;
    if (isInScope(quota, write.collection, write.object)) found.push(quota);
  }
  return found;
}

/** Returns what a write adds to the usage of a quota. */
function addedBy({ collection, object, previous }: QuotaWrite, quota: ResourceQuota, now: Instant): Amounts {
  const usage = usageOf(collection, object, now);
  if (previous === undefined) return usage;
  if (isInScope(quota, collection, previous)) return differenceOf(usage, usageOf(collection, previous, now));
  // A Pod that changes its scope is not refused for that: the controller counts it in the new scope.
  return collection === "pods" ? nothing : usage;
}

/** Returns the usage of a quota: as recorded, unless its limits have changed since. */
function usedOf({ store }: Pick<ServerContext, "store">, quota: ResourceQuota, now: Instant): Amounts {
  const { status = {} } = quota;
  const isCurrent = status.hard !== undefined && deepEqual(status.hard, limitTexts(quota));
  return isCurrent ? readAmounts(status.used) : namespaceUsage(store, quota, now);
}

interface Balance {
  readonly used: Amounts;
  readonly limited: Amounts;
}

function exceededBy(requested: Amounts, { used, limited }: Balance): ReadonlySet<string> {
  const total = sumOfAmounts(used, requested);
  const names = [...requested].filter(
    ([name, amount]) =>
      amount.nanos > 0n && compareQuantities(total.get(name) ?? zero, limited.get(name) ?? zero) > 0,
  );
  return new Set(names.map(([name]) => name));
}

function refusal(
  { metadata }: ResourceQuota,
  exceeded: ReadonlySet<string>,
  { requested, used, limited }: Balance & { readonly requested: Amounts },
): string {
  const text = (amounts: Amounts) => amountsText(only(amounts, exceeded));
  return `exceeded quota: ${metadata.name}, requested: ${text(requested)}, used: ${text(used)}, limited: ${text(limited)}`;
}

/** The resources that every container has to specify if a quota limits them. */
const required = ["cpu", "limits.cpu", "limits.memory", "memory", "requests.cpu", "requests.memory"];

/**
 * Lists the resources that a quota limits and containers do not specify: `limits.cpu for: app,sidecar; memory for:
 * app`.
 */
function missingAmounts({ spec = {} }: Sent<Pod>, limited: Amounts): string {
  return required
    .filter((resource) => limited.has(resource))
    .map((resource) => ({ resource, names: withoutAmount(spec, resource) }))
    .filter(({ names }) => names.length > 0)
    .map(({ resource, names }) => `${resource} for: ${names.join(",")}`)
    .join("; ");
}

function withoutAmount(spec: Sent<PodSpec>, resource: string): readonly string[] {
  if (specifies(spec.resources, resource)) return [];
  return [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
    .filter(({ resources }) => !specifies(resources, resource))
    .map(({ name = "" }) => name)
    .toSorted();
}

function specifies(resources: Sent<Container>["resources"], resource: string): boolean {
  const side = resource.startsWith("limits.") ? "limits" : "requests";
  return readAmounts(resources?.[side]).has(resource.replace(/^(limits|requests)\./, ""));
}
