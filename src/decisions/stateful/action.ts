import type { PersistentVolumeClaim, Pod } from "../../api/generated/core-v1.ts";
import type { Draft } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import type { OrdinalRange } from "./ordinal.ts";

/** Why a missing Pod is created from this revision and not from the other one. */
export type ChosenBy = "partition" | "current-replicas" | "update";

export interface CreateReason {
  readonly kind: "missing";
  readonly revision: string;
  readonly chosenBy: ChosenBy;
}

/** The numbers of an update when a Pod is chosen for it. */
export interface UpdateNumbers {
  readonly partition: number;
  /** How many of all ordinals are unavailable. */
  readonly unavailable: number;
  readonly maxUnavailable: number;
}

export type DeleteReason =
  | { readonly kind: "ended"; readonly phase: string }
  /** Its ordinal is out of range; `next` is the ordinal that goes after it. */
  | { readonly kind: "scaled-down"; readonly range: OrdinalRange; readonly next: number | undefined }
  | ({
      readonly kind: "outdated";
      readonly revision: string | undefined;
      readonly update: string;
      readonly index: number;
    } & UpdateNumbers);

export type UpdateReason = "identity" | "claims" | "retention";

/** One write for one ordinal. */
export type StatefulAction =
  | { readonly kind: "create-claim"; readonly claim: Draft<PersistentVolumeClaim>; readonly podName: string }
  /** Changes who the claim is deleted with. */
  | {
      readonly kind: "own-claim";
      readonly claim: PersistentVolumeClaim;
      /** Whether that is because something else controls it. */
      readonly isConflicting: boolean;
    }
  /** A foreign controller keeps the retention policy from having an effect on this claim. */
  | { readonly kind: "report-conflict"; readonly claim: string }
  | { readonly kind: "create-pod"; readonly pod: Draft<Pod>; readonly reason: CreateReason }
  /** No Pod can be created, which is reported like a creation that the API server refused. */
  | { readonly kind: "refuse-pod"; readonly podName: string; readonly problem: string }
  | { readonly kind: "update-pod"; readonly pod: Pod; readonly reason: UpdateReason }
  | { readonly kind: "delete-pod"; readonly pod: Pod; readonly reason: DeleteReason };

/** The writes for one ordinal, in their order; they end with the first that fails. */
export interface OrdinalActions {
  readonly ordinal: number;
  readonly actions: readonly StatefulAction[];
}

/** Steps that are taken concurrently; after a failure the remaining batches are skipped. */
export type Batch = readonly OrdinalActions[];

/** What keeps a set from doing more. The first one is what it waits for. */
export type StatefulWait = PodWait | LimitWait;

/** The set continues once something happens to a Pod. */
export type PodWait =
  | { readonly kind: "terminating"; readonly ordinal: number }
  | { readonly kind: "ended"; readonly ordinal: number; readonly phase: string }
  | { readonly kind: "created"; readonly ordinal: number }
  | { readonly kind: "deleted"; readonly ordinal: number }
  | { readonly kind: "not-ready"; readonly ordinal: number; readonly phase: string }
  | { readonly kind: "not-available"; readonly ordinal: number; readonly until?: Instant | undefined }
  /** The Pod that was replaced last is not available yet. */
  | { readonly kind: "updating"; readonly ordinal: number };

/** The set continues once a user changes something, or a limit permits it. */
export type LimitWait =
  /** A Pod to be removed is unavailable, and so is one with a lower ordinal, which comes first. */
  | { readonly kind: "unhealthy-condemned"; readonly ordinal: number; readonly first: number }
  /** The Pod is at a revision that is no longer wanted, and is not replaced while it is not ready. */
  | {
      readonly kind: "blocked-by-own-revision";
      readonly ordinal: number;
      readonly revision: string | undefined;
      readonly wanted: string;
    }
  | ({ readonly kind: "budget" } & UpdateNumbers)
  | { readonly kind: "partition"; readonly partition: number; readonly outdated: number }
  | { readonly kind: "on-delete"; readonly outdated: number }
  | { readonly kind: "stale-claim"; readonly ordinal: number; readonly claim: string }
  | { readonly kind: "claim-deleting"; readonly ordinal: number; readonly claim: string };

const podWaits: ReadonlySet<string> = new Set<PodWait["kind"]>([
  "terminating",
  "ended",
  "created",
  "deleted",
  "not-ready",
  "not-available",
  "updating",
]);

export function isPodWait(wait: StatefulWait): wait is PodWait {
  return podWaits.has(wait.kind);
}
