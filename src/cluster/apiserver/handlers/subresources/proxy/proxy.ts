import { utf8Bytes } from "../../../../../api/bytes.ts";
import { networkClock } from "../../../../../machinery/clock/clock.ts";
import type { Pod } from "../../../../../api/generated/core-v1.ts";
import { simulationPrefix } from "../../../../kubelet/behaviour/simulation-prefix.ts";
import type { ApiRequest, RequestBody } from "../../../request/api-request.ts";
import type { ApiResponse } from "../../../request/api-response.ts";
import type { ServerContext } from "../../../server-context.ts";
import { notImplemented, serviceUnavailable } from "../../../status-errors.ts";
import { getStored } from "../../../storage/stored-object.ts";
import { proxiedTarget } from "./proxied-target.ts";

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
      bytes: utf8Bytes(simulatedAnswer(target.pod)),
    };
  const { method = "GET", path = "/" } = request.proxy ?? {};
  const { contentType, body } = bytesOf(request.body ?? request.patch);
  const { host, port } = target;
  const { signal } = request;
  const { forwardToLoopback } = context;
  if (forwardToLoopback === undefined)
    throw serviceUnavailable("error trying to reach service: this cluster reaches no programs outside of it");
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

/**
 * Returns the answer of a simulated Pod to a request: the text of its annotation, or its name where its container
 * serves its host name (upstream: agnhost serve-hostname). Throws 503 for other Pods, which serve nothing.
 */
function simulatedAnswer({ metadata, spec }: Pod): string {
  const text = metadata.annotations?.[`${simulationPrefix}response`];
  if (text !== undefined) return text;
  const servesHostname = spec.containers.some(({ image = "", command = [], args = [] }) =>
    [image, ...command, ...args].some((word) => /serve[-_]hostname/.test(word)),
  );
  if (servesHostname) return metadata.name;
  throw serviceUnavailable(
    `pod ${metadata.namespace ?? ""}/${metadata.name} is simulated and serves nothing: its annotation ` +
      `${simulationPrefix}response can say what it answers, or ${simulationPrefix}endpoint (127.0.0.1:PORT) who does`,
  );
}
