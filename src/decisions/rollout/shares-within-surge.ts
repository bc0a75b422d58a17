import { sizeOf } from "./counts.ts";
import type { Revisions } from "./fleet.ts";
import { proportionalShares, type Share } from "./proportional-scale.ts";

/**
 * The proportional shares, but never more Pods in all than there were or than the surge allows. Kubernetes has no such
 * check: where annotations do not fit the sizes, after a change of maxSurge or of a size by hand, a proportion can ask
 * for more Pods in the middle of a scale-down. Then nobody may grow.
 */
export function sharesWithinSurge(fleet: Revisions): readonly Share[] | undefined {
  const shares = proportionalShares(fleet);
  if (shares === undefined) return undefined;
  const before = shares.reduce((sum, { replicaSet }) => sum + sizeOf(replicaSet), 0);
  const after = shares.reduce((sum, { size }) => sum + size, 0);
  if (after <= Math.max(before, fleet.budget.allowed)) return shares;
  return proportionalShares(fleet, { monotone: true });
}
