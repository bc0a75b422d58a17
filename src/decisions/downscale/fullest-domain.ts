import { type DomainCounts, levelOf } from "./domain-counts.ts";
import { addPod, type Branch, newBranch, waitByCount } from "./domain-tree.ts";
import { popFirst, pushOnto, sinkFirst } from "./heap.ts";

/** The rules below `spread`, which decide between Pods of one level. */
export interface LaterRules {
  /** Negative when the one Pod goes before the other. */
  readonly compare: (one: number, other: number) => number;
  /** Sorts Pods in place; beyond the length they may be in any order. */
  readonly sort: (pods: Uint32Array, length: number) => void;
}

interface RaceOptions {
  readonly later: LaterRules;
  /** How many Pods the caller will ask for. */
  readonly wanted: number;
}

/**
 * Returns a function that gives the next Pod to go: the one of the fullest domain of the first constraint, among several
 * such domains of the fullest of the second, and so on. The caller takes each Pod out of the counts before it asks for
 * the next one.
 *
 * The Pods are kept as a tree of domains, the constraint with the fewest domains at the top. At the bottom, where there
 * may be thousands, only the fullest domains are looked into: most Pods are never compared.
 */
export function startRace(
  pods: Uint32Array,
  counts: readonly DomainCounts[],
  { later, wanted }: RaceOptions,
): () => number {
  const levels = counts.toSorted((one, other) => one.counts.length - other.counts.length);
  const race: Race = {
    counts,
    levels,
    wanted,
    later,
    // Siblings are in one domain of every level above theirs.
    compared: levels.map((_, depth) =>
      [...counts.keys()].filter((index) => !levels.slice(0, depth).some((above) => above === counts[index])),
    ),
    isBefore: (one, other) => compareBest(one, other.best, race) < 0,
  };
  const root = newBranch(0, pods[0] ?? 0);
  for (const pod of pods) addPod(root, pod, levels);
  prepare(root, race);
  return () => {
    refresh(root, race);
    let branch = root;
    while (branch.depth < counts.length) {
      branch.left--;
      branch = branch.rivals[0] ?? branch;
    }
    branch.left--;
    return branch.pods[branch.next++] ?? 0;
  };
}

interface Race extends RaceOptions {
  /** By constraint, the first one to be compared first. */
  readonly counts: readonly DomainCounts[];
  /** The counts of the constraints, by level of the tree. */
  readonly levels: readonly DomainCounts[];
  /** By level: the constraints in which its branches may differ from their siblings. */
  readonly compared: readonly (readonly number[])[];
  readonly isBefore: (one: Branch, other: Branch) => boolean;
}

/** Lets the lowest domains wait by their count, and all others compete. */
function prepare(branch: Branch, race: Race): void {
  for (const child of branch.children.values()) {
    if (child.depth === race.levels.length) {
      waitByCount(branch, child, countOf(child, race));
      continue;
    }
    prepare(child, race);
    refresh(child, race);
    pushOnto(branch.rivals, child, race.isBefore);
  }
}

/** How many Pods are in the domain of a branch now, wherever they are in the tree. */
function countOf({ depth, sample }: Branch, { levels }: Race): number {
  const own = levels[depth - 1];
  return own === undefined ? 0 : levelOf(own, sample);
}

/** Finds the best of a branch that has Pods left, and brings the child that has it to the front. */
function refresh(branch: Branch, race: Race): void {
  if (branch.depth === race.levels.length) {
    const pod = firstPod(branch, race);
    branch.best = [...race.counts.map((counts) => levelOf(counts, pod)), pod];
    return;
  }
  for (;;) {
    const [rival] = branch.rivals;
    if (rival === undefined) findRivals(branch, race);
    else if (rival.left === 0) popFirst(branch.rivals, race.isBefore);
    else if (isStillFullest(branch, rival, race)) {
      // Counts only fall, so that what is known about the others is at most too good.
      const known = rival.best;
      refresh(rival, race);
      branch.best = rival.best;
      if (compareBest(rival, known, race) === 0) return;
      sinkFirst(branch.rivals, race.isBefore);
    } else {
      popFirst(branch.rivals, race.isBefore);
      waitByCount(branch, rival, countOf(rival, race));
    }
  }
}

function isStillFullest({ highest }: Branch, rival: Branch, race: Race): boolean {
  return highest === Infinity || countOf(rival, race) === highest;
}

/** Lets the children with the highest count compete. */
function findRivals(branch: Branch, race: Race): void {
  let highest = 0;
  for (const count of branch.waiting.keys()) highest = Math.max(highest, count);
  const candidates = branch.waiting.get(highest) ?? [];
  branch.waiting.delete(highest);
  branch.highest = highest;
  for (const child of candidates) {
    if (child.left === 0) continue;
    const count = countOf(child, race);
    if (count < highest) waitByCount(branch, child, count);
    else {
      refresh(child, race);
      pushOnto(branch.rivals, child, race.isBefore);
    }
  }
}

function compareBest({ best, depth }: Branch, other: Branch["best"], { compared, later }: Race): number {
  for (const index of compared[depth - 1] ?? []) {
    const difference = (other[index] ?? 0) - (best[index] ?? 0);
    if (difference !== 0) return difference;
  }
  const last = best.length - 1;
  const [pod, otherPod] = [best[last] ?? 0, other[last] ?? 0];
  return pod === otherPod ? 0 : later.compare(pod, otherPod);
}

function firstPod(leaf: Branch, { later, wanted }: Race): number {
  if (!leaf.isSorted) {
    const sorted = Uint32Array.from(leaf.pods);
    later.sort(sorted, Math.min(wanted, sorted.length));
    leaf.pods = sorted;
    leaf.isSorted = true;
  }
  return leaf.pods[leaf.next] ?? 0;
}
