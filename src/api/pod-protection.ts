import { formatDuration, parseDuration } from "./duration.ts";
import { type FieldError, invalid } from "./field-error.ts";
import type { Pod } from "./generated/core-v1.ts";
import type { StoredObject } from "./object.ts";
import { type Instant, parseTime } from "./time.ts";

/** The label by which a Pod says that it may not be removed now; its value means nothing. */
export const protectedLabel = "trimtab.dev/protected";

/** The annotation by which a Pod says until when it may not be removed. */
export const protectUntilAnnotation = "trimtab.dev/protect-until";

/** The annotation of a workload that limits how long a removal is held back. */
export const protectionLimitAnnotation = "trimtab.dev/protection-limit";

/**
 * The label in which a ReplicaSet keeps since when its removals are held back. Not an annotation, which `kubectl rollout
 * undo` would copy.
 */
export const heldRemovalLabel = "trimtab.dev/held-removal";

/**
 * On a ReplicaSet of which `trimtab steer` holds a shrink back: the size that was admitted. If the ReplicaSet has another
 * size, that was requested later, and the held-back request is void.
 */
export const heldAtLabel = "trimtab.dev/held-at";

/**
 * Makes the Deployment controller reconcile, as any change of a ReplicaSet does, and so request the size again. That request
 * removes the label: as long as it is there, the request has not come.
 */
export const removalDueLabel = "trimtab.dev/removal-due";

/** The label of a ReplicaSet whose removals do not look at protection; its value names the cause. */
export const unprotectedLabel = "trimtab.dev/ignores-protection";

/** What a Pod says itself about its protection. */
export type OwnProtection =
  | { readonly kind: "none" }
  | { readonly kind: "label" }
  | { readonly kind: "until"; readonly until: Instant }
  /** The annotation is not a time, so the Pod is not protected. */
  | { readonly kind: "unreadable" };

/** Reads the label and the annotation of a Pod; a time that has come protects no longer. */
export function ownProtectionOf({ metadata }: Pod, now: Instant): OwnProtection {
  if (Object.hasOwn(metadata.labels ?? {}, protectedLabel)) return { kind: "label" };
  const text = metadata.annotations?.[protectUntilAnnotation];
  if (text === undefined) return { kind: "none" };
  const until = parseTime(text);
  if (until === undefined) return { kind: "unreadable" };
  return now < until ? { kind: "until", until } : { kind: "none" };
}

/** How long a removal is held back at most, unless the workload says otherwise. */
export const defaultProtectionLimitMs = 30 * 60_000;

const longestProtectionLimitMs = 24 * 60 * 60_000;

/** How long the removals of a workload are held back at most, and what is wrong with its annotation, if anything is. */
export interface ProtectionLimit {
  readonly limitMs: number;
  readonly problem?: string;
}

interface Annotated {
  readonly metadata: Pick<StoredObject["metadata"], "annotations">;
}

/** Reads the annotation of a workload; with one that makes no sense, the default counts. */
export function protectionLimitOf({ metadata }: Annotated): ProtectionLimit {
  const text = metadata.annotations?.[protectionLimitAnnotation];
  if (text === undefined) return { limitMs: defaultProtectionLimitMs };
  const limitMs = parseDuration(text);
  if (limitMs !== undefined && limitMs >= 0 && limitMs <= longestProtectionLimitMs) return { limitMs };
  return { limitMs: defaultProtectionLimitMs, problem: limitProblem(text) };
}

const shownLength = 60;

function limitProblem(text: string): string {
  const byDefault = formatDuration(defaultProtectionLimitMs);
  return `Annotation ${protectionLimitAnnotation} is ${JSON.stringify(shortened(text))}, which is no duration between 0s and ${longestLimit}, such as "45m"; the limit is ${byDefault}`;
}

const longestLimit = formatDuration(longestProtectionLimitMs);

const shortened = (text: string) => (text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);

/** Validates the annotation of a workload, worded as for fields. */
export function validateProtectionLimit(text: string | undefined, path: string): readonly FieldError[] {
  if (text === undefined) return [];
  const { problem } = protectionLimitOf({ metadata: { annotations: { [protectionLimitAnnotation]: text } } });
  return problem === undefined
    ? []
    : [invalid(path, shortened(text), `must be a duration between 0s and ${longestLimit}, such as 45m`)];
}
