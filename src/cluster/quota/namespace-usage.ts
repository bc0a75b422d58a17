import type { ResourceQuota } from "../../api/generated/core-v1.ts";
import type { Sent } from "../../api/sent.ts";
import type { Instant } from "../../api/time.ts";
import type { Store } from "../store/store.ts";
import { addQuantities, type Quantity, zero } from "../../api/quantity/quantity.ts";
import { type Amounts, type AmountTexts, readAmounts } from "./amounts.ts";
import { isInScope } from "./scopes.ts";
import { collectionOfResource, usageOf } from "./usage.ts";

/** Returns the limits of a quota as it writes them. */
export function limitTexts({ spec = {} }: Sent<ResourceQuota>): AmountTexts {
  return spec.hard ?? {};
}

/** Returns the resources that a quota limits. */
export function limitedBy(quota: Sent<ResourceQuota>): Amounts {
  return readAmounts(limitTexts(quota));
}

/** Returns the collections whose objects a quota counts. */
export function collectionsCountedBy(quota: ResourceQuota): ReadonlySet<string> {
  const collections = [...limitedBy(quota).keys()].map(collectionOfResource);
  return new Set(collections.filter((collection) => collection !== undefined));
}

/** Returns what all objects of a quota's namespace use, for each resource of the quota. */
export function namespaceUsage(store: Store, quota: ResourceQuota, now: Instant): Amounts {
  const used = new Map([...limitedBy(quota).keys()].map((name) => [name, zero]));
  const { namespace } = quota.metadata;
  for (const collection of collectionsCountedBy(quota))
    for (const { object } of store.collection(collection).records({ namespace }))
      if (isInScope(quota, collection, object)) addTo(used, usageOf(collection, object, now));
  return used;
}

/** Adds in place, because a namespace may have very many objects. */
function addTo(used: Map<string, Quantity>, usage: Amounts): void {
  for (const [name, amount] of usage) {
    const before = used.get(name);
    if (before !== undefined) used.set(name, addQuantities(before, amount));
  }
}
