import {
  type NumberColumn,
  emptyValue,
  missingKey,
  noNode,
  type TopologyColumn,
} from "../view/cluster-columns.ts";
import type { NodeMask } from "./counting.ts";

/** Which nodes are counted for a constraint. */
export interface CountedNodes {
  /** By the node inclusion policies; absent when all are. */
  readonly mask: NodeMask | undefined;
  /** Topology keys that some nodes lack: these nodes count for no constraint. */
  readonly demanded: readonly TopologyColumn[];
}

/** Pods per domain, by number of the domain. */
export interface FoldedDomains {
  readonly perDomain: Int32Array;
  /** 1 for the domains that have a node which counts. */
  readonly isCounted: Uint8Array;
}

/**
 * Adds up the Pods of the nodes that are counted: where some are left out, the totals that counters keep are too high.
 * Nodes without the key, unless it is demanded, share the domain of the empty value.
 */
export function foldDomains(
  { domainOf, values }: TopologyColumn,
  perNode: NumberColumn,
  { mask, demanded }: CountedNodes,
): FoldedDomains {
  const perDomain = new Int32Array(values.length);
  const isCounted = new Uint8Array(values.length);
  for (let slot = 0; slot < domainOf.length; slot++) {
    if (domainOf[slot] === noNode || mask?.[slot] === 0 || lacksKey(slot, demanded)) continue;
    const domain = countedDomain(domainOf, slot);
    perDomain[domain] = (perDomain[domain] ?? 0) + (perNode[slot] ?? 0);
    isCounted[domain] = 1;
  }
  return { perDomain, isCounted };
}

/** The domain that the node of a slot counts for, where it need not have the key. */
export function countedDomain(domainOf: NumberColumn, slot: number): number {
  const domain = domainOf[slot] ?? missingKey;
  return domain === missingKey ? emptyValue : domain;
}

/** Whether the node of a slot lacks one of the keys. */
export function lacksKey(slot: number, demanded: readonly TopologyColumn[]): boolean {
  for (const { domainOf } of demanded) if ((domainOf[slot] ?? missingKey) < 0) return true;
  return false;
}
