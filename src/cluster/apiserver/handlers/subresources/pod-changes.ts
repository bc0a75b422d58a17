import type { KindStrategy } from "../../kinds/kind-strategy.ts";
import { ephemeralContainersStrategy } from "../../kinds/pod/ephemeral-containers.ts";
import { resizeStrategy } from "../../kinds/pod/resize.ts";
import type { ApiRequest } from "../../request/api-request.ts";
import type { ApiResponse } from "../../request/api-response.ts";
import type { ServerContext } from "../../server-context.ts";

type Handler = (context: ServerContext, request: ApiRequest) => Promise<ApiResponse>;

/** By subresource: the strategy for a part of a Pod that an update of the Pod itself may not change. */
const strategies: ReadonlyMap<string, KindStrategy> = new Map([
  ["ephemeralcontainers", asGeneral(ephemeralContainersStrategy)],
  ["resize", asGeneral(resizeStrategy)],
]);

// The decoder has checked every object against the schema of its kind.
function asGeneral(strategy: unknown): KindStrategy {
  return strategy as KindStrategy;
}

/** Handles an update or a patch of `pods/ephemeralcontainers` or `pods/resize` by the strategy of that part. */
export function withPartStrategy(handler: Handler): Handler {
  return (context, request) => {
    const { resource, subresource = "" } = request;
    const strategy = strategies.get(subresource) ?? resource.strategy;
    return handler(context, { ...request, resource: { ...resource, strategy } });
  };
}
