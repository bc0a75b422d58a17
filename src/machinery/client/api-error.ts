import type { Status } from "../../api/generated/meta-v1.ts";

/** A request the API server answered with a failure; `status` is its answer, whole. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: Status;

  constructor(status: Status, options?: ErrorOptions) {
    super(status.message ?? status.reason ?? "unknown API failure", options);
    this.status = status;
  }

  get code(): number {
    return this.status.code ?? 500;
  }

  get reason(): string {
    return this.status.reason ?? "";
  }
}

const hasReason = (reason: string) => (error: unknown) =>
  error instanceof ApiError && error.reason === reason;

/** The object, or the path to it, is not there. */
export const isNotFound = hasReason("NotFound");
/** Someone else wrote first. */
export const isConflict = hasReason("Conflict");
export const isAlreadyExists = hasReason("AlreadyExists");
/** The object was refused for what is in it. */
export const isInvalid = hasReason("Invalid");

/** The revision asked for is no longer kept: list again. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 410 || error.reason === "Expired");
}

/** Whether a failure carries a cause of this type, such as `NamespaceTerminating`. */
export function hasCause(error: unknown, type: string): boolean {
  return (
    error instanceof ApiError && (error.status.details?.causes ?? []).some((cause) => cause.reason === type)
  );
}

/** A patch that names a UID is refused as invalid, in that one field, by an object with another one. */
export function isUidMismatch(error: unknown): boolean {
  if (!isInvalid(error) || !(error instanceof ApiError)) return false;
  return error.status.details?.causes?.every(({ field }) => field === "metadata.uid") === true;
}
