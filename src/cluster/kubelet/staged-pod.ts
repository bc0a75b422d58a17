import type { Pod } from "../../api/generated/core-v1.ts";
import type { Instant } from "../../api/time.ts";
import type { PodStage } from "./lifecycle.ts";

/** Where a Pod's containers are said to run. */
export interface PodAddresses {
  /** Absent for a node that has no address. */
  readonly hostIP: string | undefined;
  readonly podIP: string;
}

/** A Pod in a stage that has something to report. */
export interface StagedPod {
  readonly pod: Pod;
  readonly stage: Exclude<PodStage, { readonly name: "removed" }>;
  readonly addresses: PodAddresses;
  readonly now: Instant;
}
