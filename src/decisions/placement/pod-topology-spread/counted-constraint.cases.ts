import type { CountedConstraint } from "./counted-constraint.ts";
import type { SpreadCase } from "./spread-cluster.cases.ts";

/** What each hard constraint counts, and its minimum; `null` where there is nothing to filter by. */
export interface CountCase extends SpreadCase {
  readonly want:
    | readonly { readonly counts: Readonly<Record<string, number>>; readonly minimum: number }[]
    | null;
}

/** The counts of the domains that a node is in which counts, by label value. */
export function countsByValue({
  column,
  perDomain,
  isCounted,
}: CountedConstraint): Readonly<Record<string, number>> {
  const entries = column.values.map((value, domain) => [value, perDomain[domain] ?? 0] as const);
  return Object.fromEntries(entries.filter((_, domain) => isCounted(domain)));
}
