import { boundOnce } from "./bound-once.ts";
import { countsReached } from "./counts-reached.ts";
import { daemonBudget, daemonPodsWhereTheyBelong } from "./daemon-pods.ts";
import type { Invariant } from "./invariant.ts";
import { jobPodsCountedOnce } from "./job-pods-counted-once.ts";
import { noCreationBeyondShortage, noDeletionBeyondSurplus } from "./creations-and-deletions.ts";
import { noHotLoop } from "./no-hot-loop.ts";
import { uidRespected } from "./uid-respected.ts";
import { ownedOnce } from "./owned-once.ts";
import { podsWithinSurge } from "./pods-within-surge.ts";
import { rolloutBudgetAsReported, rolloutBudgetInFact } from "./rollout-budget.ts";
import { rolloutStaysAvailable } from "./rollout-stays-available.ts";
import { claimsOfOrdinals } from "./stateful-claims.ts";
import { ordinalOrder, ordinalRunsOnce, ordinalsFilled } from "./stateful-pods.ts";
import { viewsMatchStore } from "./views-match-store.ts";

/** All invariants, one line each. */
export const invariants: readonly Invariant[] = [
  ownedOnce,
  countsReached,
  noDeletionBeyondSurplus,
  noCreationBeyondShortage,
  boundOnce,
  viewsMatchStore,
  noHotLoop,
  uidRespected,
  jobPodsCountedOnce,
  ordinalRunsOnce,
  ordinalsFilled,
  ordinalOrder,
  claimsOfOrdinals,
  daemonPodsWhereTheyBelong,
  daemonBudget,
  rolloutBudgetAsReported,
  rolloutBudgetInFact,
  podsWithinSurge,
  rolloutStaysAvailable,
];
