/** Why a call failed. Events, metrics and records show only the class: no bodies, headers or addresses. */
export const failureClasses = [
  "InvalidConfig",
  "SecretMissing",
  "SecretForbidden",
  "SecretUnavailable",
  "InvalidHeader",
  "InvalidCertificate",
  "HostUnresolved",
  "PortUnresolved",
  "AddressNotAllowed",
  "CertificateRejected",
  "ClientCertificateRejected",
  "ConnectionFailed",
  "Refused",
  "Redirected",
  "TooLarge",
  "Malformed",
  "Saturated",
  "Suspended",
  "Timeout",
] as const;

export type FailureClass = (typeof failureClasses)[number];

/** A failed attempt. */
export interface PickerFailure {
  readonly kind: "failed";
  readonly class: FailureClass;
  /** The status code of the picker's response: `HTTP 503`, `gRPC UNAVAILABLE`. */
  readonly code?: string;
  /** What is wrong with the picker's settings, without their values. */
  readonly problem?: string;
  /** Whether another attempt may succeed. */
  readonly isTransient: boolean;
  /** The picker's `Retry-After`. */
  readonly retryAfterMs?: number;
}

type FailureDetails = Partial<Pick<PickerFailure, "code" | "problem" | "retryAfterMs">>;

/** A failure that is not retried. */
export function permanentFailure(failure: FailureClass, details: FailureDetails = {}): PickerFailure {
  return { kind: "failed", class: failure, isTransient: false, ...details };
}

/** A failure that is retried. */
export function transientFailure(failure: FailureClass, details: FailureDetails = {}): PickerFailure {
  return { kind: "failed", class: failure, isTransient: true, ...details };
}
