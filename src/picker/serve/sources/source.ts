/** A question to a source: the numbers of these Pods. */
export interface SourceQuestion {
  readonly namespace: string;
  readonly workload: { readonly kind: string; readonly name: string };
  readonly pods: readonly string[];
  /** Aborts when the time of the source is over. */
  readonly signal: AbortSignal;
}

/** Why a number could not be read. Metrics and events show only the class and the code: no bodies, headers or addresses. */
export interface SourceFailure {
  readonly class: SourceFailureClass;
  /** `HTTP 503`, or what else says more and is no secret. */
  readonly detail?: string | undefined;
}

/** Every class of failures. */
export const sourceFailureClasses = [
  "AddressNotAllowed",
  "Ambiguous",
  "Busy",
  "CertificateRejected",
  "ConnectionFailed",
  "CredentialMissing",
  "Failed",
  "HostUnresolved",
  "Malformed",
  "NotANumber",
  "PodUnknown",
  "PortUnresolved",
  "Redirected",
  "Refused",
  "Timeout",
  "TooLarge",
] as const;

export type SourceFailureClass = (typeof sourceFailureClasses)[number];

/** What a source says: a Pod in neither map has no number, which is no failure. */
export interface Reading {
  readonly numbers: ReadonlyMap<string, number>;
  readonly failures: ReadonlyMap<string, SourceFailure>;
}

/** Reads the numbers of Pods; never rejects, and ends when the signal aborts. */
export type ReadSource = (question: SourceQuestion) => Promise<Reading>;

/** The reading of a source that says nothing about any of the Pods. */
export function unreadable({ pods }: Pick<SourceQuestion, "pods">, failure: SourceFailure): Reading {
  return { numbers: new Map(), failures: new Map(pods.map((pod) => [pod, failure])) };
}

/** What was read about one Pod. */
export type PodNumber = number | SourceFailure | undefined;

/** The reading of these results; NaN is no number. */
export function readingOf(results: Iterable<readonly [pod: string, result: PodNumber]>): Reading {
  const numbers = new Map<string, number>();
  const failures = new Map<string, SourceFailure>();
  for (const [pod, result] of results) {
    if (typeof result === "object") failures.set(pod, result);
    else if (Number.isNaN(result)) failures.set(pod, { class: "NotANumber" });
    else if (result !== undefined) numbers.set(pod, result);
  }
  return { numbers, failures };
}
