import type { ControllerRevision } from "../../api/generated/apps-v1.ts";
import { parseTime } from "../../api/time.ts";

/** The revisions from the lowest to the highest; of equal ones the older first. */
export function sortedRevisions(revisions: readonly ControllerRevision[]): readonly ControllerRevision[] {
  return revisions.toSorted(
    (a, b) => numberOf(a) - numberOf(b) || createdAt(a) - createdAt(b) || byName(a, b),
  );
}

/** The number after the highest revision, 1 for the first. */
export function nextRevisionNumber(revisions: readonly ControllerRevision[]): number {
  return revisions.reduce((highest, revision) => Math.max(highest, numberOf(revision)), 0) + 1;
}

/** Which revisions of a history are kept. */
export interface HistoryLimit {
  /** The names of the revisions that Pods or the status of the workload refer to. */
  readonly live: ReadonlySet<string>;
  /** How many others are kept; negative: all. */
  readonly limit: number;
}

/** The revisions to delete, the lowest first. */
export function revisionsToTruncate(
  revisions: readonly ControllerRevision[],
  { live, limit }: HistoryLimit,
): readonly ControllerRevision[] {
  if (limit < 0) return [];
  const unused = sortedRevisions(revisions).filter(({ metadata }) => !live.has(metadata.name));
  return unused.slice(0, Math.max(0, unused.length - limit));
}

function numberOf({ revision }: ControllerRevision): number {
  return Number.isFinite(revision) ? revision : 0;
}

function createdAt({ metadata }: ControllerRevision): number {
  return parseTime(metadata.creationTimestamp) ?? 0;
}

function byName(a: ControllerRevision, b: ControllerRevision): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
