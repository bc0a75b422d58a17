/** A run of completion indexes, both ends included. */
export interface IndexInterval {
  readonly first: number;
  readonly last: number;
}

/** A set of completion indexes: intervals in ascending order that neither touch nor overlap. */
export type CompletionIndexes = readonly IndexInterval[];

/** Reads `1,3-5,7` as far as it is below `completions`; parts that cannot be read are left out. */
// upstream: parseIndexesFromString
export function parseCompletionIndexes(text: string | undefined, completions: number): CompletionIndexes {
  const found: IndexInterval[] = [];
  for (const part of typeof text === "string" ? text.split(",") : []) {
    const interval = parseInterval(part);
    if (interval === undefined || interval.first >= completions) continue;
    found.push({ first: interval.first, last: Math.min(interval.last, completions - 1) });
  }
  return normalized(found);
}

/** Writes the set as `status.completedIndexes` has it: `1,3-5,7`; two neighbours are listed one by one. */
export function formatCompletionIndexes(indexes: CompletionIndexes): string {
  return indexes
    .map(({ first, last }) => {
      if (first === last) return `${first}`;
      return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
    })
    .join(",");
}

export function countIndexes(indexes: CompletionIndexes): number {
  return indexes.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

export function hasIndex(indexes: CompletionIndexes, index: number): boolean {
  return indexes.some(({ first, last }) => first <= index && index <= last);
}

/** The set with single indexes added. */
export function withIndexes(indexes: CompletionIndexes, added: Iterable<number>): CompletionIndexes {
  return unionOfIndexes(
    indexes,
    [...added].map((index) => ({ first: index, last: index })),
  );
}

export function unionOfIndexes(one: CompletionIndexes, other: readonly IndexInterval[]): CompletionIndexes {
  return other.length === 0 ? one : normalized([...one, ...other]);
}

/** How many indexes both sets have. */
export function countCommonIndexes(one: CompletionIndexes, other: CompletionIndexes): number {
  return countIndexes(one) + countIndexes(other) - countIndexes(unionOfIndexes(one, other));
}

/** The lowest index that both sets have. */
export function firstCommonIndex(one: CompletionIndexes, other: CompletionIndexes): number | undefined {
  let at = 0;
  for (const { first, last } of one) {
    while (at < other.length && (other[at]?.last ?? 0) < first) at++;
    const next = other[at];
    if (next !== undefined && next.first <= last) return Math.max(first, next.first);
  }
  return undefined;
}

/** The lowest `count` indexes below `completions` that are not in the set. */
export function firstMissingIndexes(
  indexes: CompletionIndexes,
  count: number,
  completions: number,
): readonly number[] {
  const missing: number[] = [];
  let candidate = 0;
  for (const { first, last } of [...indexes, { first: completions, last: completions }]) {
    const end = Math.min(first, completions);
    for (; candidate < end && missing.length < count; candidate++) missing.push(candidate);
    candidate = Math.max(candidate, last + 1);
  }
  return missing;
}

/** Why a text is no list of ascending completion indexes below `completions`; `undefined` when it is one. */
// upstream: validateIndexesFormat
export function completionIndexesProblem(text: string, completions: number): string | undefined {
  if (text === "") return undefined;
  let previous = -1;
  for (const part of text.split(",")) {
    const problem = intervalProblem(part, previous, completions);
    if (problem !== undefined) return problem;
    previous = parseInterval(part)?.last ?? previous;
  }
  return undefined;
}

function intervalProblem(part: string, previous: number, completions: number): string | undefined {
  const limits = part.split("-");
  if (limits.length > 2)
    return `the fragment ${JSON.stringify(part)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  const unreadable = limits.find((limit) => !/^\d{1,9}$/.test(limit));
  if (unreadable !== undefined)
    return `cannot convert string to integer for index: ${JSON.stringify(unreadable)}`;
  const tooHigh = limits.find((limit) => Number(limit) >= completions);
  if (tooHigh !== undefined) return `too large index: ${JSON.stringify(tooHigh)}`;
  const [first = 0, last = first] = limits.map(Number);
  if (limits.length === 2 && first >= last)
    return `non-increasing order, previous: ${first}, current: ${last}`;
  return first <= previous ? `non-increasing order, previous: ${previous}, current: ${first}` : undefined;
}

function parseInterval(part: string): IndexInterval | undefined {
  const limits = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part);
  if (limits === null) return undefined;
  const first = Number(limits[1]);
  const last = limits[2] === undefined ? first : Number(limits[2]);
  return first > last ? undefined : { first, last };
}

function normalized(intervals: readonly IndexInterval[]): CompletionIndexes {
  const merged: IndexInterval[] = [];
  for (const interval of intervals.toSorted((a, b) => a.first - b.first)) {
    const before = merged.at(-1);
    if (before === undefined || interval.first > before.last + 1) merged.push(interval);
    else merged[merged.length - 1] = { first: before.first, last: Math.max(before.last, interval.last) };
  }
  return merged;
}
