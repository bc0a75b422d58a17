/** The name that a mistyped one was most likely meant to be; `undefined` when none is near. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(typed.length / 3));
  const near = names
    .map((name) => ({ name, distance: isAbbreviation(typed, name) ? 1 : editDistance(typed, name) }))
    .filter(({ distance }) => distance <= most);
  return near.toSorted((a, b) => a.distance - b.distance)[0]?.name;
}

function isAbbreviation(typed: string, name: string): boolean {
  return typed.length >= 2 && name.startsWith(typed);
}

/** How many characters have to be inserted, deleted, replaced or swapped with the next (Damerau–Levenshtein). */
function editDistance(from: string, to: string): number {
  let beforePrevious: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          (current[column - 1] ?? 0) + 1,
          (previous[column] ?? 0) + 1,
          (previous[column - 1] ?? 0) + Number(!isSame),
          isSwapped ? (beforePrevious[column - 2] ?? Number.POSITIVE_INFINITY) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[to.length] ?? 0;
}
