/** The fewest faults that were found to break something. */
export interface NarrowedFaults {
  readonly identities: readonly string[];
  readonly runs: number;
  /** Whether it was tried to leave out each of them; `false` when the number of runs did not suffice for that. */
  readonly isSmallest: boolean;
}

/**
 * Narrows faults that break something to few that still do: leaves out ever smaller parts of them (delta debugging), until
 * none can be left out. `fails` tells whether these faults alone break it.
 */
export async function narrowFaults(
  all: readonly string[],
  fails: (identities: readonly string[]) => Promise<boolean>,
  mostRuns: number,
): Promise<NarrowedFaults> {
  let kept = all;
  let runs = 0;
  let parts = 2;
  while (kept.length > 1) {
    const found = await smallerSet(kept, parts, async (identities) => {
      if (runs >= mostRuns) return false;
      runs++;
      return fails(identities);
    });
    if (runs >= mostRuns && found === undefined) return { identities: kept, runs, isSmallest: false };
    if (found !== undefined) {
      parts = found.isPart ? 2 : Math.max(parts - 1, 2);
      kept = found.identities;
    } else if (parts >= kept.length) break;
    else parts = Math.min(2 * parts, kept.length);
  }
  return { identities: kept, runs, isSmallest: true };
}

interface SmallerSet {
  readonly identities: readonly string[];
  /** Whether it is one of the parts, not what is left without one. */
  readonly isPart: boolean;
}

/** Returns the first part of a set, or the first set without a part, that still fails. */
async function smallerSet(
  set: readonly string[],
  parts: number,
  fails: (identities: readonly string[]) => Promise<boolean>,
): Promise<SmallerSet | undefined> {
  const size = Math.ceil(set.length / parts);
  const starts = Array.from({ length: Math.ceil(set.length / size) }, (_, index) => index * size);
  for (const start of starts) {
    const part = set.slice(start, start + size);
    if (await fails(part)) return { identities: part, isPart: true };
  }
  if (starts.length <= 2) return undefined; // the rest of one half is the other
  for (const start of starts) {
    const rest = [...set.slice(0, start), ...set.slice(start + size)];
    if (await fails(rest)) return { identities: rest, isPart: false };
  }
  return undefined;
}
