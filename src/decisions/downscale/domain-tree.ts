import type { DomainCounts } from "./domain-counts.ts";

/** The Pods of one domain at every level of the tree down to a depth. */
export interface Branch {
  readonly depth: number;
  /** One of its Pods, for its domain. */
  readonly sample: number;
  readonly children: Map<number, Branch>;
  /** Of a leaf: its Pods; those up to `next` are gone. */
  pods: number[] | Uint32Array;
  next: number;
  isSorted: boolean;
  /** How many of its Pods have not been taken yet. */
  left: number;
  /** The children as a heap; of the lowest domains only those with the highest count. */
  readonly rivals: Branch[];
  highest: number;
  /** The other children, by the count of their domain when it was last looked at. */
  readonly waiting: Map<number, Branch[]>;
  /** The best of its Pods when the branch was last examined: the counts of its domains by constraint, and the Pod itself. */
  best: readonly number[];
}

/** A branch without Pods. */
export function newBranch(depth: number, sample: number): Branch {
  return {
    depth,
    sample,
    children: new Map(),
    pods: [],
    next: 0,
    isSorted: false,
    left: 0,
    rivals: [],
    highest: Infinity,
    waiting: new Map(),
    best: [],
  };
}

/** Adds a Pod to the branch of its domain at every level. */
export function addPod(root: Branch, pod: number, levels: readonly DomainCounts[]): void {
  let branch = root;
  branch.left++;
  for (const { domains } of levels) {
    const domain = domains[pod] ?? -1;
    const known = branch.children.get(domain);
    const child = known ?? newBranch(branch.depth + 1, pod);
    if (known === undefined) branch.children.set(domain, child);
    branch = child;
    branch.left++;
  }
  (branch.pods as number[]).push(pod);
}

/** Lets a child wait with those of the same count. */
export function waitByCount({ waiting }: Branch, child: Branch, count: number): void {
  const alike = waiting.get(count);
  if (alike === undefined) waiting.set(count, [child]);
  else alike.push(child);
}
