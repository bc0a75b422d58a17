import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";

/** The dependencies of an action. */
export interface ActionEnvironment {
  readonly client: Client;
  /** The time of the cluster. */
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** The outcome of an action. An action that is refused as a whole throws an `ApiError` instead. */
export interface ActionOutcome {
  /** What was changed, in kubectl's words: `deployment.apps/web scaled`. */
  readonly done: readonly string[];
  readonly refused: readonly RefusedPart[];
}

/** A part of an action that was refused, such as one eviction of a drain. */
export interface RefusedPart {
  /** `pod/web-1 -n default`. */
  readonly object: string;
  readonly message: string;
  /** The status code; 429 where time can change the answer. */
  readonly code: number;
  /** What the API server names as the cause, such as the disruption budget. */
  readonly cause?: string;
  /** The Pod of a refused eviction. */
  readonly uid?: string;
}
