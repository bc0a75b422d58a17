import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import type { Facts, Picks } from "./facts.ts";

/** A removal that a picker may be asked about: of these Pods, so many have to go. */
export interface RemovalRequest {
  readonly pods: readonly Pod[];
  readonly count: number;
  /** All that is known but for a picker's answer. */
  readonly facts: Facts;
}

/** A call has to be made first. */
export interface UnaskedPicker {
  readonly kind: "not-asked";
}

/** A picker has answered, failed, or was not needed: decide, with its picks if there are any. */
export interface SettledPicker {
  readonly kind: "settled";
  /** For the decision record. */
  readonly outcome: JsonObject;
  readonly picks?: Picks;
  /** How many Pods it was asked about, if it was: when more have to go by now, the rest is another decision. */
  readonly count?: number;
}

/** How far asking a picker about a removal has come. */
export type PickerProgress =
  /** The workload has no picker: decide. */
  | { readonly kind: "none" }
  | UnaskedPicker
  /** A call is under way, and its answer enqueues the workload: put the decision off. */
  | { readonly kind: "pending" }
  | SettledPicker;
