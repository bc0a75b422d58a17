import type { OutsideRequests, OutsideRequestsFactory } from "../../src/cluster/outside-requests.ts";
import { ApiError } from "../../src/machinery/client/api-error.ts";

/** A request of another program that did not succeed. */
export interface RefusedRequest {
  /** `update batch/jobs/status default/first`. */
  readonly what: string;
  readonly code: number;
  readonly message: string;
  /** The start of the `User-Agent`. */
  readonly program: string;
}

/** Keeps what other programs were refused, for a cluster that is started with it; what `faults` refuse is not kept. */
export function recordRefusals(faults?: OutsideRequestsFactory): {
  readonly outsideRequests: OutsideRequestsFactory;
  readonly refused: () => readonly RefusedRequest[];
} {
  const refused: RefusedRequest[] = [];
  const recorded: OutsideRequests["handle"] = async (request, handle) => {
    try {
      return await handle(request);
    } catch (error) {
      const { verb, resource, subresource, namespace = "", name = "", userAgent = "" } = request;
      const kind = [resource.group, resource.plural, subresource].filter(Boolean).join("/");
      refused.push({
        what: `${verb} ${kind} ${namespace}/${name}`,
        code: error instanceof ApiError ? error.code : 0,
        message: String(error),
        program: userAgent.split("/")[0] ?? "",
      });
      throw error;
    }
  };
  return {
    refused: () => refused,
    outsideRequests: (from) => {
      const outer = faults?.(from);
      return {
        debug: (path, query) => outer?.debug(path, query),
        handle: (request, handle) =>
          outer === undefined
            ? recorded(request, handle)
            : outer.handle(request, (disturbed) => recorded(disturbed, handle)),
      };
    },
  };
}

/** Leaves out what every operator lives with: what is not there yet or no more, and what somebody else was faster to write. */
export const unusual = (refused: readonly RefusedRequest[]): readonly RefusedRequest[] =>
  refused.filter(({ code }) => code !== 404 && code !== 409);
