import { keyOf } from "../../../src/api/object.ts";
import { checkSyncBudgets } from "./sync-budget.ts";
import type { Invariant } from "./invariant.ts";

/** However old its view: no more Pods go than the controller knew to be too many. */
export const noDeletionBeyondSurplus: Invariant = {
  name: "no-deletion-beyond-surplus",
  description: "no controller deletes more Pods than it knew to be too many",
  begin: ({ clock }) =>
    checkSyncBudgets(clock, ({ verb, name }, budget) => {
      if (verb !== "delete") return undefined;
      budget.deleted++;
      const { owner, wanted, active, deleted } = budget;
      if (deleted <= active.size - wanted) return undefined;
      return `${owner.kind ?? ""} ${keyOf(owner)} wants ${wanted}, was known to have ${active.size}, and ${deleted} were deleted, the last ${name ?? ""}`;
    }),
};

/** However old its view: no more Pods come than the controller knew to be missing. */
export const noCreationBeyondShortage: Invariant = {
  name: "no-creation-beyond-shortage",
  description: "no controller creates more Pods than it knew to be missing",
  begin: ({ clock }) =>
    checkSyncBudgets(clock, ({ verb }, budget) => {
      if (verb !== "create") return undefined;
      budget.created++;
      const { owner, wanted, active, created } = budget;
      if (created <= wanted - active.size) return undefined;
      return `${owner.kind ?? ""} ${keyOf(owner)} wants ${wanted}, was known to have ${active.size}, and ${created} were created`;
    }),
};
