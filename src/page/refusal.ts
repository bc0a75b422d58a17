import type { Status } from "../api/generated/meta-v1.ts";

/** Why a request is not served, as the Status that answers it. */
export type RefusalStatus = Required<
  Pick<Status, "kind" | "apiVersion" | "status" | "code" | "reason" | "message">
>;

/** A refusal as an API server would write it. */
export function refusal(code: number, reason: string, message: string): RefusalStatus {
  return { kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message };
}

export const badRequestStatus = (message: string): RefusalStatus => refusal(400, "BadRequest", message);
export const forbiddenStatus = (message: string): RefusalStatus => refusal(403, "Forbidden", message);
export const notFoundStatus = (message: string): RefusalStatus => refusal(404, "NotFound", message);

/** The API server cannot be reached, its response broke off, or it does not know the user. */
export const badGatewayStatus = (message: string): RefusalStatus => refusal(502, "BadGateway", message);
