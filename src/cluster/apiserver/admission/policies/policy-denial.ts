import type { ApiError } from "../../../../machinery/client/api-error.ts";
import { detailsOf, statusError, subject } from "../../status-error.ts";
import type { AdmissionAttributes } from "../../webhooks/admission-request.ts";

const codes: ReadonlyMap<string, number> = new Map([
  ["Unauthorized", 401],
  ["Forbidden", 403],
  ["RequestEntityTooLarge", 413],
  ["Invalid", 422],
]);

/** The denial of a request by a policy. */
export interface PolicyDenial {
  readonly policy: string;
  /** Absent when the policy itself cannot be evaluated. */
  readonly binding?: string | undefined;
  readonly message: string;
  readonly reason?: string | undefined;
}

/** Returns the error that a denied request is answered with. */
export function deniedByPolicy({ resource, name }: AdmissionAttributes, denial: PolicyDenial): ApiError {
  const { policy, binding, message, reason = "Invalid" } = denial;
  const through = binding === undefined ? "" : ` with binding '${binding}'`;
  const why = `ValidatingAdmissionPolicy '${policy}'${through} denied request: ${message}`;
  return statusError({
    code: codes.get(reason) ?? 422,
    reason,
    message: `${subject(resource, name)} is forbidden: ${why}`,
    details: detailsOf(resource, name, [{ message: why }]),
  });
}
