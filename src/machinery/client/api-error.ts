import type { Status } from "../../api/generated/meta-v1.ts";

/** A request that the API server refused; `status` is the Status it returned. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: Status;
  /** The texts of `Warning` headers. */
  readonly warnings: readonly string[];

  constructor(status: Status, options?: ErrorOptions & { readonly warnings?: readonly string[] }) {
    super(status.message ?? status.reason ?? "unknown API failure", options);
    this.status = status;
    this.warnings = options?.warnings ?? [];
  }

  /** The same error with more warnings; those that it has are not repeated. */
  withWarnings(warnings: readonly string[]): ApiError {
    const added = warnings.filter((warning) => !this.warnings.includes(warning));
    if (added.length === 0) return this;
    return new ApiError(this.status, { cause: this.cause, warnings: [...this.warnings, ...added] });
  }

  get code(): number {
    return this.status.code ?? 500;
  }

  get reason(): string {
    return this.status.reason ?? "";
  }
}

/** An error response as an API server sends it; without a message it says its reason. */
export function apiFailure(code: number, reason: string, message: string = reason): ApiError {
  return new ApiError({ kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message });
}

const hasReason = (reason: string) => (error: unknown) =>
  error instanceof ApiError && error.reason === reason;

/** The object, or its path, does not exist. */
export const isNotFound = hasReason("NotFound");
/** Another client wrote first. */
export const isConflict = hasReason("Conflict");
export const isAlreadyExists = hasReason("AlreadyExists");
/** The user may not do this. */
export const isForbidden = hasReason("Forbidden");
/** Validation refused the object. */
export const isInvalid = hasReason("Invalid");

/** The requested resource version has been compacted: list again. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 410 || error.reason === "Expired");
}

/** Whether a quota of the namespace refused the object; controllers report that in an event and a condition. */
export function isQuotaExceeded(error: unknown): boolean {
  return error instanceof ApiError && error.code === 403 && error.message.includes("exceeded quota: ");
}

/** Whether an error has a cause of this type, such as `NamespaceTerminating`. */
export function hasCause(error: unknown, type: string): boolean {
  return (
    error instanceof ApiError && (error.status.details?.causes ?? []).some((cause) => cause.reason === type)
  );
}

/** Whether a patch that contains a UID was refused because the object has another one. */
export function isUidMismatch(error: unknown): boolean {
  if (!isInvalid(error) || !(error instanceof ApiError)) return false;
  const causes = error.status.details?.causes ?? [];
  return causes.length > 0 && causes.every(({ field }) => field === "metadata.uid");
}

/** What a request resolves to; `undefined` when its object does not exist. */
export async function ifFound<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
