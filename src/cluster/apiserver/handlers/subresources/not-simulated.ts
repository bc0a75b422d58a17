import type { Pod } from "../../../../api/generated/core-v1.ts";
import type { ApiRequest } from "../../request/api-request.ts";
import type { ApiResponse } from "../../request/api-response.ts";
import type { ServerContext } from "../../server-context.ts";
import { notImplemented } from "../../status-errors.ts";
import { getStored } from "../../storage/stored-object.ts";
import { logContainerOf } from "./log/log-container.ts";

const why = "trimtab simulates containers and does not run them";

/** By subresource: what is not simulated, and what is instead. */
const sentences: ReadonlyMap<string, string> = new Map([
  ["exec", `no command can be executed: ${why}; kubectl logs shows what happened to one`],
  ["attach", `nothing can be attached to: ${why}; kubectl logs -f shows what happens to one`],
  [
    "portforward",
    `no port can be forwarded: ${why}; kubectl get --raw reads what the Pod's proxy answers (its path and /proxy/)`,
  ],
]);

/** Refuses `pods/exec`, `pods/attach` and `pods/portforward`, in whatever protocol, with a sentence that says what is simulated. */
export async function refuseUnsimulated(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const pod = getStored(context, request).object as unknown as Pod;
  const { subresource = "", options } = request;
  if (subresource !== "portforward") logContainerOf(pod, options.container);
  throw notImplemented(sentences.get(subresource) ?? why);
}
