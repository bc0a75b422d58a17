import type { Clock } from "../../../../../machinery/clock/clock.ts";
import type { ProxyRequest } from "../../../request/api-request.ts";
import type { ApiResponse } from "../../../request/api-response.ts";

/** A request to forward, and its destination. */
export interface LoopbackRequest extends ProxyRequest {
  readonly host: string;
  readonly port: number;
  readonly contentType: string;
  readonly body: Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request to a program on this machine, without its credentials; throws 503 when that fails. */
export type ForwardToLoopback = (request: LoopbackRequest, clock: Clock) => Promise<ApiResponse>;
