import type { Pod } from "../../../api/generated/core-v1.ts";
import type { Instant } from "../../../api/time.ts";
import type { PodBehaviour } from "../behaviour/pod-behaviour.ts";
import type { PodStage } from "../lifecycle/pod-stage.ts";

/** The addresses a Pod reports. */
export interface PodAddresses {
  /** Absent for a node that has no address. */
  readonly hostIP: string | undefined;
  readonly podIP: string;
}

/** A Pod in a stage that is reported in its status. */
export interface StagedPod {
  readonly pod: Pod;
  readonly stage: Exclude<PodStage, { readonly name: "removed" }>;
  readonly behaviour: PodBehaviour;
  readonly addresses: PodAddresses;
  readonly now: Instant;
}
