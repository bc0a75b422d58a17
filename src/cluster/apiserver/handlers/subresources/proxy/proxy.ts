import type { ApiRequest, RequestBody } from "../../../request/api-request.ts";
import type { ApiResponse } from "../../../request/api-response.ts";
import { networkClock } from "../../../../../machinery/clock/clock.ts";
import type { ServerContext } from "../../../server-context.ts";
import { notImplemented } from "../../../status-errors.ts";
import { getStored } from "../../../storage/stored-object.ts";
import { forwardToLoopback } from "./forward-to-loopback.ts";
import { proxiedTarget } from "./proxied-target.ts";
import { simulatedAnswer } from "./simulated-answer.ts";

/** Handles any request to `pods/proxy`, `services/proxy` or `nodes/proxy`, which is simulated: no Pod is ever dialled. */
export async function proxy(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  if (request.resource.plural === "nodes") {
    getStored(context, request);
    throw notImplemented("kubelets are simulated and serve nothing: there is no proxy of a node");
  }
  const target = proxiedTarget(context, request);
  if (target.by === "pod")
    return {
      kind: "raw",
      code: 200,
      contentType: "text/plain; charset=utf-8",
      bytes: Buffer.from(simulatedAnswer(target.pod)),
    };
  const { method = "GET", path = "/" } = request.proxy ?? {};
  const { contentType, body } = bytesOf(request.body ?? request.patch);
  const { host, port } = target;
  const { signal } = request;
  return forwardToLoopback(
    { host, port, method, path, contentType, body, signal },
    networkClock(context.clock),
  );
}

function bytesOf(body: RequestBody | ApiRequest["patch"]) {
  return body?.form === "bytes"
    ? { contentType: body.contentType, body: body.bytes }
    : { contentType: "", body: undefined };
}
