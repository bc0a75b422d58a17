import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import type { Choice } from "../downscale/choose-victims.ts";
import type { Facts } from "../downscale/facts.ts";
import type { SettledPicker, UnaskedPicker } from "../downscale/picker-progress.ts";
import type { StandingAnswer } from "../downscale/picker-state.ts";
import type { PodDraft } from "./draft-pod.ts";
import type { HoldReason } from "./plan-replicas.ts";
import type { HeldRemoval } from "./held-removal.ts";

/** Which Pods go, and what that was decided by. */
export interface Removal {
  readonly choice: Choice;
  readonly facts: Facts;
  /** The outcome of the call to a picker, if one was called. */
  readonly picker?: JsonObject;
  /** The Pods go although they are protected: the limit of their protection has come. */
  readonly isOverdue?: true;
}

/** One thing to do for a ReplicaSet. */
export type ReplicaSetAction =
  /** Creates this many Pods. */
  | {
      readonly kind: "create-pods";
      readonly existing: number;
      readonly count: number;
      readonly draft: PodDraft;
    }
  | { readonly kind: "delete-pods"; readonly removal: Removal }
  /** Starts a call; its answer enqueues the ReplicaSet again. */
  | { readonly kind: "ask-picker"; readonly unasked: UnaskedPicker }
  /** Marks an answer as used, so that it is not used twice; one that holds a removal back stands until it is asked again. */
  | {
      readonly kind: "settle-picker";
      readonly settled: SettledPicker;
      readonly standing?: StandingAnswer | undefined;
    }
  /** Calls off a call that is no longer needed, and drops its answer. */
  | { readonly kind: "dismiss-picker" }
  /** Keeps on the owner since when a removal is held back, and records the decision. */
  | {
      readonly kind: "hold-removal";
      readonly held: HeldRemoval;
      readonly isNew: boolean;
      readonly removal: Removal;
    }
  /** Ends the hold that the owner shows. */
  | { readonly kind: "end-hold"; readonly because: HoldEnd }
  /** Tells the user about annotations of Pods that cannot be read. */
  | { readonly kind: "report-unreadable"; readonly pods: readonly Pod[] };

/** Why a removal is not held back any longer. */
export type HoldEnd =
  | "size-reached"
  | "not-protected"
  | "gate-off"
  /** On a stock cluster: the workload is not steered any more, or `Recreate` drains it. */
  | "not-steered"
  /** On a stock cluster: the ReplicaSet was given another size since. */
  | "other-size"
  /** On a stock cluster: the Deployment was woken and did not ask. */
  | "withdrawn";

/** Why a plan has the actions it has. */
export type PlanReason =
  | HoldReason
  | "waiting-for-picker"
  /** All Pods that are too many are protected. */
  | "protected-pods"
  | "as-many-as-desired"
  | "fewer-than-desired"
  | "more-than-desired";
