/** One thing that tied Pods are compared by, as numbers of which the lower goes first. */
export interface TiedStep {
  readonly numbers: Float64Array;
  /** Whether Pods with different numbers go by their UIDs. */
  readonly isByUid: boolean;
}

/** What tied Pods, given by their index, are compared by: the steps in their order, and the ranks of their UIDs. */
export interface TiedComparison {
  readonly steps: readonly TiedStep[];
  readonly ranks: Int32Array;
}

/**
 * Adds up the points of Pods that are tied with each other, as `rankByPoints` takes them: two for every other Pod they go
 * before, and one for every tie.
 *
 * Thousands of Pods may be tied, so the pairs are not compared one by one: Pods are sorted by a step, those before and
 * behind are counted, and only Pods with the same number go on to the next step.
 */
export function addTiedPoints(
  points: Float64Array,
  pods: readonly number[],
  { steps, ranks }: TiedComparison,
): void {
  addPoints(pods, 0);

  function addPoints(members: readonly number[], depth: number): void {
    const step = steps[depth];
    if (step === undefined) return add(members, members.length - 1);
    const runs = runsOf(members, step.numbers);
    if (step.isByUid && runs.length > 1) addByUid(members, 1);
    let behind = members.length;
    for (const run of runs) {
      behind -= run.length;
      if (!step.isByUid) add(run, 2 * behind);
      // Among themselves these have the same number: their UIDs do not count yet.
      else if (runs.length > 1) addByUid(run, -1);
      addPoints(run, depth + 1);
    }
  }

  function addByUid(members: readonly number[], sign: 1 | -1): void {
    let behind = members.length;
    for (const run of runsOf(members, ranks)) {
      behind -= run.length;
      add(run, sign * (2 * behind + run.length - 1));
    }
  }

  function add(members: readonly number[], more: number): void {
    for (const member of members) points[member] = (points[member] ?? 0) + more;
  }
}

/** The Pods by rising number, those with the same number together. Unknown times are infinite, and the same. */
function runsOf(
  members: readonly number[],
  numbers: Float64Array | Int32Array,
): readonly (readonly number[])[] {
  const numberOf = (member: number) => numbers[member] ?? 0;
  const [first = 0] = members;
  // Most often all numbers are equal, and there is nothing to sort.
  if (members.every((member) => numberOf(member) === numberOf(first))) return [members];
  const sorted = members.toSorted((one, other) => compareNumbers(numberOf(one), numberOf(other)));
  const runs: number[][] = [];
  let last: number | undefined;
  for (const member of sorted) {
    if (numberOf(member) !== last) runs.push([]);
    last = numberOf(member);
    runs.at(-1)?.push(member);
  }
  return runs;
}

function compareNumbers(one: number, other: number): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
