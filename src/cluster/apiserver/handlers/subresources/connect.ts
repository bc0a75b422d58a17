import type { JsonObject } from "../../../../api/json.ts";
import { apiVersionOf } from "../../../../api/resource.ts";
import type { ApiRequest } from "../../request/api-request.ts";
import { reviewedKindOf } from "../../webhooks/admission-request.ts";
import type { VerbHandler } from "../verb-handler.ts";

/** Wraps the handler of a connection, such as `pods/exec` or a proxy, which admission webhooks may refuse. */
export function afterConnectReview(handler: VerbHandler): VerbHandler {
  return async (context, request) => {
    const review = context.webhooks.reviewOf(request, "CONNECT", { dryRun: false });
    if (review !== undefined) await review.check({ object: connectOptions(request) });
    return handler(context, request);
  };
}

/** Returns the options of a connection, such as PodExecOptions, as far as this server reads them. */
function connectOptions({ resource, subresource = "", options, proxy }: ApiRequest): JsonObject {
  const kind = reviewedKindOf(resource, subresource);
  const { container } = options;
  return {
    kind: kind.kind,
    apiVersion: apiVersionOf(kind),
    ...(container !== undefined && { container }),
    ...(proxy !== undefined && { path: proxy.path }),
  };
}
