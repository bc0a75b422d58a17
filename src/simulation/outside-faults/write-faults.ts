import { isReview } from "../../cluster/apiserver/auth/review.ts";
import type { ApiRequest } from "../../cluster/apiserver/request/api-request.ts";
import {
  internalError,
  optimisticLockConflict,
  timedOut,
  tooManyRequests,
} from "../../cluster/apiserver/status-errors.ts";
import type { ApiError } from "../../machinery/client/api-error.ts";
import { bodyOf, subjectMetadata } from "./request-subject.ts";

const writes: ReadonlySet<string> = new Set(["create", "update", "patch", "delete", "deletecollection"]);

/** The faults of writes. */
type WriteFaultName = "conflict" | "too-many-requests" | "error-after-write" | "timeout-after-write";

/** How a write with a fault ends: it is refused, or carried out and then said to have failed. */
export interface WriteFault {
  readonly takesEffect: boolean;
  readonly error: ApiError;
}

/** Reports whether a request changes stored objects. */
export function isDurableWrite({ verb, resource, subresource, options }: ApiRequest): boolean {
  const isDry = options.dryRun !== undefined && options.dryRun.length > 0;
  return writes.has(verb) && !isDry && !isReview(resource) && subresource !== "proxy";
}

/** Returns the faults that a write may have: those with which kube-apiserver answers such a request. */
export function faultsOfWrite(request: ApiRequest): readonly WriteFaultName[] {
  const others = ["too-many-requests", "error-after-write", "timeout-after-write"] as const;
  return mayConflict(request) ? ["conflict", ...others] : others;
}

/** An update can only conflict if it says which version it was made from; patches are tried again, and give up at last. */
function mayConflict(request: ApiRequest): boolean {
  if (request.verb === "patch") return true;
  if (request.verb !== "update") return false;
  const { resourceVersion = "" } = subjectMetadata(bodyOf(request));
  return resourceVersion !== "";
}

const retryAfterSeconds = 1;

/** Returns what a fault does to a write. */
export function writeFault(fault: WriteFaultName, { resource, name = "" }: ApiRequest): WriteFault {
  switch (fault) {
    case "conflict":
      return { takesEffect: false, error: optimisticLockConflict(resource, name) };
    case "too-many-requests":
      return {
        takesEffect: false,
        error: tooManyRequests(
          "the server has received too many requests and has asked us to try again later",
          retryAfterSeconds,
        ),
      };
    case "error-after-write":
      return { takesEffect: true, error: internalError("etcdserver: leader changed") };
    case "timeout-after-write":
      return { takesEffect: true, error: timedOut("request did not complete within the allotted timeout") };
  }
}
