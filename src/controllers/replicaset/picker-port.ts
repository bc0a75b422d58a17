import type { JsonObject } from "../../api/json.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Facts, Picks } from "../../decisions/downscale/facts.ts";
import type { WatchSource } from "../../machinery/controller.ts";

/** What a picker is to help with: some of these Pods have to go. */
export interface RemovalRequest {
  readonly pods: readonly Pod[];
  readonly count: number;
  /** All that is known but for a picker's answer. */
  readonly facts: Facts;
}

/** How far the asking of a picker has come. */
export type PickerProgress =
  /** There is nobody to ask: decide. */
  | { readonly kind: "none" }
  /** The answer will wake the workload: put the decision off. */
  | { readonly kind: "pending" }
  /** Decide, with the answer if there is a usable one; `outcome` is for the record. */
  | { readonly kind: "settled"; readonly outcome: JsonObject; readonly picks?: Picks };

/**
 * The asking of pod pickers, as this controller needs it: nobody is waited for. What `on` answers is good for the
 * decision at hand and is not answered twice; as something watched it sends the keys of workloads that have an answer.
 */
export interface PickerPort<T> extends WatchSource {
  on(owner: T, dilemma: RemovalRequest): PickerProgress;
  /** Nothing is to be chosen for this workload any more: whatever was asked is void. */
  dismiss(key: string): void;
}

/** Nobody is ever asked. */
export const noPickers: PickerPort<unknown> = {
  on: () => ({ kind: "none" }),
  dismiss: () => undefined,
  synced: () => Promise.resolve(true),
};
