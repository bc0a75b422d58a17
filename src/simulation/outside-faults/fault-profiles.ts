/** A fault in a request or a watch of another program. */
export interface OutsideFault {
  /** What the program sees. */
  readonly effect: string;
  /** How likely it is in each profile where it can be injected, from 0 to 1; `only` when it is asked for by its name. */
  readonly gentle: number;
  readonly rough: number;
  readonly only: number;
}

/**
 * All faults, one line each. Profile `gentle` has those that client libraries hide from programs: they try again after 429,
 * and list or watch again. In `rough` writes fail, too, and a program has to deal with that itself.
 */
export const outsideFaults = {
  conflict: { effect: "409 Conflict, nothing written", gentle: 0, rough: 0.1, only: 0.25 },
  "too-many-requests": {
    effect: "429 with Retry-After, nothing written",
    gentle: 0.03,
    rough: 0.05,
    only: 0.2,
  },
  "error-after-write": { effect: "500, though the write took effect", gentle: 0, rough: 0.05, only: 0.25 },
  "timeout-after-write": { effect: "504, though the write took effect", gentle: 0, rough: 0.05, only: 0.25 },
  "lease-expired": {
    effect: "the holder cannot renew it until it expires",
    gentle: 0,
    rough: 0.02,
    only: 0.2,
  },
  "stale-list": {
    effect: "an older state, which resourceVersion=0 allows",
    gentle: 0.2,
    rough: 0.4,
    only: 0.5,
  },
  "watch-expired": { effect: "410 Expired", gentle: 0.05, rough: 0.15, only: 0.4 },
  "watch-cut": { effect: "the connection ends without an end", gentle: 0.2, rough: 0.4, only: 0.5 },
  "late-event": { effect: "it arrives later, and those behind it", gentle: 0.1, rough: 0.25, only: 0.4 },
  "bunched-events": { effect: "it waits, then all arrive at once", gentle: 0.05, rough: 0.1, only: 0.3 },
} as const satisfies Readonly<Record<string, OutsideFault>>;

export type OutsideFaultName = keyof typeof outsideFaults;

export const outsideFaultNames = Object.keys(outsideFaults) as readonly OutsideFaultName[];

/** How likely each fault is; those that are left out are never injected. */
export type Probabilities = ReadonlyMap<OutsideFaultName, number>;

const profiles = ["gentle", "rough"] as const;

/** Everything that names a profile. */
export const faultProfileNames: readonly string[] = [...profiles, ...outsideFaultNames];

/** Returns the probabilities of a profile, or of single faults joined by `+`; `undefined` for an unknown name. */
export function probabilitiesOf(profile: string): Probabilities | undefined {
  const named = profiles.find((name) => name === profile);
  if (named !== undefined)
    return new Map(outsideFaultNames.map((name) => [name, outsideFaults[name][named]]));
  const wanted = profile.split("+");
  const found = outsideFaultNames.filter((name) => wanted.includes(name));
  return found.length === wanted.length
    ? new Map(found.map((name) => [name, outsideFaults[name].only]))
    : undefined;
}
