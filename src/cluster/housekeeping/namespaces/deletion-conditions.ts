import { findCondition } from "../../../api/conditions.ts";
import type { NamespaceCondition } from "../../../api/generated/core-v1.ts";
import type { Resource } from "../../../api/resource.ts";
import { formatTime, type Instant } from "../../../api/time.ts";

/** The objects of one resource that remain in a namespace that is being deleted. */
export interface RemainingContent {
  readonly resource: Resource;
  readonly count: number;
  /** The finalizers of all remaining objects, one entry per object and finalizer. */
  readonly finalizers: readonly string[];
}

/**
 * Returns the conditions of upstream's namespace controller, which say why a namespace still exists, after the
 * conditions of other writers. Returns the stored list itself when nothing changes.
 */
export function deletionConditions(
  stored: readonly NamespaceCondition[] | undefined,
  remaining: readonly RemainingContent[],
  now: Instant,
): readonly NamespaceCondition[] {
  const wanted = [...successes, contentRemaining(remaining), finalizersRemaining(remaining)];
  if (stored !== undefined && wanted.every((condition) => isStored(stored, condition))) return stored;
  const types = new Set(wanted.map(({ type }) => type));
  const others = (stored ?? []).filter(({ type }) => !types.has(type));
  const own = wanted.map((condition) => {
    const known = findCondition(stored, condition.type);
    // A new message, such as a smaller count, is not a transition.
    const since = known?.status === condition.status ? known.lastTransitionTime : undefined;
    return { ...condition, lastTransitionTime: since ?? formatTime(now) };
  });
  return [...others, ...own];
}

const successes: readonly NamespaceCondition[] = [
  success(
    "NamespaceDeletionDiscoveryFailure",
    "ResourcesDiscovered",
    "All resources successfully discovered",
  ),
  success(
    "NamespaceDeletionGroupVersionParsingFailure",
    "ParsedGroupVersions",
    "All legacy kube types successfully parsed",
  ),
  success(
    "NamespaceDeletionContentFailure",
    "ContentDeleted",
    "All content successfully deleted, may be waiting on finalization",
  ),
];

function success(type: string, reason: string, message: string): NamespaceCondition {
  return { type, status: "False", reason, message };
}

function contentRemaining(remaining: readonly RemainingContent[]): NamespaceCondition {
  if (remaining.length === 0)
    return success("NamespaceContentRemaining", "ContentRemoved", "All content successfully removed");
  const parts = remaining
    // upstream: the dot stands even without a group
    .map(({ resource, count }) => `${resource.plural}.${resource.group} has ${count} resource instances`)
    .sort();
  const message = `Some resources are remaining: ${parts.join(", ")}`;
  return { type: "NamespaceContentRemaining", status: "True", reason: "SomeResourcesRemain", message };
}

function finalizersRemaining(remaining: readonly RemainingContent[]): NamespaceCondition {
  const counts = new Map<string, number>();
  for (const finalizer of remaining.flatMap(({ finalizers }) => finalizers)) {
    counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1);
  }
  if (counts.size === 0) {
    return success(
      "NamespaceFinalizersRemaining",
      "ContentHasNoFinalizers",
      "All content-preserving finalizers finished",
    );
  }
  const parts = [...counts].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`).sort();
  const message = `Some content in the namespace has finalizers remaining: ${parts.join(", ")}`;
  return { type: "NamespaceFinalizersRemaining", status: "True", reason: "SomeFinalizersRemain", message };
}

function isStored(stored: readonly NamespaceCondition[], wanted: NamespaceCondition): boolean {
  const known = findCondition(stored, wanted.type);
  return (
    known?.status === wanted.status && known.reason === wanted.reason && known.message === wanted.message
  );
}
