/** Orders texts by their UTF-16 code units, the same in every locale. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
