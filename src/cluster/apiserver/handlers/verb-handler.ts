import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import type { ServerContext } from "../server-context.ts";

/** Handles the requests of one verb. */
export type VerbHandler = (context: ServerContext, request: ApiRequest) => Promise<ApiResponse>;
