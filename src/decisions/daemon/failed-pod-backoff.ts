import type { Instant } from "../../api/time.ts";

/** When a failed Pod was last deleted from a node, and how long the next one stays. */
export interface NodeBackoff {
  readonly delayMs: number;
  readonly since: Instant;
}

/** The backoffs of a DaemonSet's nodes at one observed generation: a new spec may mend what failed. */
export interface FailedPodBackoffs {
  readonly generation: number;
  readonly byNode: ReadonlyMap<string, NodeBackoff>;
}

const firstMs = 1000;
const longestMs = 15 * 60_000;
/** The backoff of a node is reset after this long without a failure. */
const forgottenMs = 2 * longestMs;

/** Returns the backoffs that apply at a generation: not those of an earlier generation, and not expired ones. */
export function currentBackoffs(
  known: FailedPodBackoffs | undefined,
  generation: number,
  now: Instant,
): FailedPodBackoffs {
  if (known === undefined || known.generation !== generation) return { generation, byNode: new Map() };
  const recent = [...known.byNode].filter(([, { since }]) => now - since <= forgottenMs);
  return recent.length === known.byNode.size ? known : { generation, byNode: new Map(recent) };
}

/** Until when a failed Pod of a node stays; `undefined` when it may be deleted. */
export function backsOffUntil(
  { byNode }: FailedPodBackoffs,
  node: string,
  now: Instant,
): Instant | undefined {
  const backoff = byNode.get(node);
  if (backoff === undefined) return undefined;
  const until = backoff.since + backoff.delayMs;
  return now < until ? until : undefined;
}

/** The backoffs after failed Pods of these nodes were deleted. */
export function withDeletedPods(
  backoffs: FailedPodBackoffs,
  nodes: readonly string[],
  now: Instant,
): FailedPodBackoffs {
  if (nodes.length === 0) return backoffs;
  const byNode = new Map(backoffs.byNode);
  for (const node of nodes) {
    const delayMs = Math.min((byNode.get(node)?.delayMs ?? firstMs / 2) * 2, longestMs);
    byNode.set(node, { delayMs, since: now });
  }
  return { generation: backoffs.generation, byNode };
}
