import type { Pod } from "../../../../api/generated/core-v1.ts";
import type { ApiRequest } from "../../request/api-request.ts";
import type { ApiResponse } from "../../request/api-response.ts";
import type { ServerContext } from "../../server-context.ts";
import { badRequest } from "../../status-errors.ts";
import { getStored } from "../../storage/stored-object.ts";

/**
 * Handles a get of a container's log, which is empty: a warning says why. An error would say so every second, since
 * kubectl repeats the request of `logs -f` after any Status.
 */
export async function getLog(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  // A collection holds only objects of its resource.
  const pod = getStored(context, request).object as unknown as Pod;
  const container = containerOf(pod, request.options.container);
  checkStarted(pod, container);
  const why = "trimtab simulates containers and does not run them";
  return { kind: "text", text: "", warnings: [`container ${JSON.stringify(container)} has no log: ${why}`] };
}

/** The container that is named, or the only one; throws 400 when there is none. */
function containerOf({ metadata, spec }: Pod, wanted: string | undefined): string {
  const names = spec.containers.map(({ name }) => name);
  const initNames = (spec.initContainers ?? []).map(({ name }) => name);
  const ephemeral = (spec.ephemeralContainers ?? []).map(({ name }) => name);
  const [only = ""] = names;
  if (wanted === undefined && names.length === 1) return only;
  if (wanted === undefined) {
    const others = initNames.length === 0 ? "" : ` or one of the init containers: [${initNames.join(" ")}]`;
    const choice = `choose one of: [${names.join(" ")}]${others}`;
    throw badRequest(`a container name must be specified for pod ${metadata.name}, ${choice}`);
  }
  if ([...names, ...initNames, ...ephemeral].includes(wanted)) return wanted;
  throw badRequest(`container ${wanted} is not valid for pod ${metadata.name}`);
}

/** Throws 400 for a container that waits to be started. */
function checkStarted({ metadata, status = {} }: Pod, container: string): void {
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  const { state } =
    [...containerStatuses, ...initContainerStatuses].find(({ name }) => name === container) ?? {};
  if (state?.waiting === undefined) return;
  const which = `container ${JSON.stringify(container)} in pod ${JSON.stringify(metadata.name)}`;
  throw badRequest(`${which} is waiting to start: ${state.waiting.reason ?? ""}`);
}
