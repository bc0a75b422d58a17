import type { Node, Pod } from "../../../../../api/generated/core-v1.ts";
import { containerLog } from "../../../../kubelet/container-log.ts";
import { isSimulated } from "../../../../kubelet/nodes/simulated-node.ts";
import type { ApiRequest } from "../../../request/api-request.ts";
import type { ApiResponse } from "../../../request/api-response.ts";
import type { ServerContext } from "../../../server-context.ts";
import { notImplemented } from "../../../status-errors.ts";
import { getStored } from "../../../storage/stored-object.ts";
import { followLog } from "./follow-log.ts";
import { logContainerOf, whyNoLog } from "./log-container.ts";
import { logOptionsOf } from "./log-options.ts";
import { ByteLimit, logText, selectedLines } from "./log-text.ts";

/**
 * Handles a get of a container's log. The log is simulated: what happened to the container, and the lines of its Pod's
 * annotations.
 */
export async function getLog(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const now = context.clock.now();
  const options = logOptionsOf(request.options, request.name ?? "", now);
  // A collection holds only objects of its resource.
  const pod = getStored(context, request).object as unknown as Pod;
  const container = logContainerOf(pod, request.options.container);
  const { nodeName = "" } = pod.spec;
  if (nodeName === "") return { kind: "text", text: "" };
  checkSimulated(context, nodeName);
  const log = containerLog(pod, container, { now, previous: options.previous });
  if (log === undefined) throw whyNoLog(pod, container, options.previous);
  if (options.follow)
    return { kind: "text-stream", texts: followLog(context, { request, pod, container, options }) };
  const text = logText(selectedLines(log.lines, options), options);
  return { kind: "text", text: new ByteLimit(options.limitBytes).cut(text) };
}

/** Throws 501 for a node with a real kubelet, whose address is never dialled. */
function checkSimulated({ store }: ServerContext, nodeName: string): void {
  const node = store.collection("nodes").get(nodeName)?.object as Node | undefined;
  if (node === undefined || isSimulated(node)) return;
  throw notImplemented(
    `the logs of node ${nodeName} cannot be read: trimtab simulates containers and connects to no kubelet`,
  );
}
