import type { Clock } from "../machinery/clock/clock.ts";
import type { DebugEndpoint } from "../machinery/diagnostics/diagnostics.ts";
import type { RequestHandler } from "./apiserver/handlers/request-handler.ts";
import type { ApiRequest } from "./apiserver/request/api-request.ts";
import type { ApiResponse } from "./apiserver/request/api-response.ts";
import type { Store } from "./store/store.ts";

/**
 * What stands between programs outside of this process and the API: requests and watches of resources that come over
 * HTTPS pass through it. Health checks, discovery and components in this process do not.
 */
export interface OutsideRequests {
  /**
   * Answers a request by handling it, or otherwise; throws an `ApiError` to refuse it. The stream in the answer to a watch
   * may be another one than the handler's.
   */
  handle(request: ApiRequest, handle: RequestHandler["handle"]): Promise<ApiResponse>;
  /** What it shows below `/debug/`. */
  readonly debug: DebugEndpoint;
}

/** Creates it for a cluster; the clock is the one that other programs live by. */
export type OutsideRequestsFactory = (from: {
  readonly store: Store;
  readonly clock: Clock;
}) => OutsideRequests;
