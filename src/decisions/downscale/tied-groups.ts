import type { Arrangement } from "./arrange.ts";

/** The Pods that no rule of an arrangement told apart, by index, the first group to go first. */
export function tiedGroups({ rules, order, boundaries }: Arrangement): readonly (readonly number[])[] {
  const groups: number[][] = [];
  let group: number[] = [];
  for (const [place, index] of order.entries()) {
    if (place === 0 || (boundaries[place] ?? 0) < rules.length) {
      group = [];
      groups.push(group);
    }
    group.push(index);
  }
  return groups;
}
