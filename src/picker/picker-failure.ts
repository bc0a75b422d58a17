/** Why a picker's answer could not be had. Classes are all that people are told: no bodies, headers or addresses. */
export const failureClasses = [
  "InvalidConfig",
  "SecretMissing",
  "SecretForbidden",
  "SecretUnavailable",
  "InvalidHeader",
  "HostUnresolved",
  "PortUnresolved",
  "AddressNotAllowed",
  "CertificateRejected",
  "ConnectionFailed",
  "Refused",
  "Redirected",
  "TooLarge",
  "Malformed",
  "Saturated",
  "Timeout",
] as const;

export type FailureClass = (typeof failureClasses)[number];

/** An attempt that came to nothing. */
export interface PickerFailure {
  readonly kind: "failed";
  readonly class: FailureClass;
  /** What the picker said, as a bare code: `HTTP 503`, `gRPC UNAVAILABLE`. */
  readonly code?: string;
  /** Whether another attempt may fare better. */
  readonly isTransient: boolean;
  /** How long the picker asks to be left alone. */
  readonly retryAfterMs?: number;
}

type FailureDetails = Partial<Pick<PickerFailure, "code" | "retryAfterMs">>;

/** A failure that trying again will not mend. */
export function permanentFailure(failure: FailureClass, details: FailureDetails = {}): PickerFailure {
  return { kind: "failed", class: failure, isTransient: false, ...details };
}

/** A failure that may have passed by the next attempt. */
export function transientFailure(failure: FailureClass, details: FailureDetails = {}): PickerFailure {
  return { kind: "failed", class: failure, isTransient: true, ...details };
}
