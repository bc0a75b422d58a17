import type { JsonObject } from "../../api/json.ts";
import { heldAtLabel, heldRemovalLabel } from "../../api/pod-protection.ts";
import { admittedPatch } from "./admitted-shrink.ts";

/**
 * Asks a ReplicaSet's Deployment to ask again, as any change of a ReplicaSet does. The next request takes it away: while it
 * is there, nobody has asked.
 */
export const removalDueLabel = "trimtab.dev/removal-due";

/** A shrink of which protected Pods hold back a part, or all. */
export interface HeldShrink {
  /** The size for now: not less than was asked for, and no more than before. */
  readonly size: number;
  /** The value of the label that says since when it is held back. */
  readonly hold: string;
}

/** The ReplicaSet in a request that shrinks it. */
export interface ShrinkRequest {
  readonly labels: JsonObject | undefined;
  /** The one before. */
  readonly generation: number;
  readonly old: number;
  readonly asked: number;
}

/** The labels that say what a shrink is admitted as: `null` removes one. */
export function shrinkLabels(held: HeldShrink | undefined): Readonly<Record<string, string | null>> {
  return {
    [heldRemovalLabel]: held === undefined ? null : held.hold,
    [heldAtLabel]: held === undefined ? null : String(held.size),
    [removalDueLabel]: null,
  };
}

/**
 * JSON patch operations for a request that shrinks a ReplicaSet. An update that then changes nothing is not stored: asked
 * again and again, a shrink that is held back writes nothing.
 */
export function shrinkPatch(
  { labels, generation, old, asked }: ShrinkRequest,
  held: HeldShrink | undefined,
): readonly JsonObject[] {
  const size = held?.size ?? asked;
  const changes = Object.entries(shrinkLabels(held)).filter(
    ([name, value]) => (labels?.[name] ?? null) !== value,
  );
  const hasLabels = labels !== undefined;
  const marked = size < old ? admittedPatch(labels, generation) : [];
  const isCreated = !hasLabels && marked.length === 0 && changes.length > 0;
  return [
    ...(size === asked ? [] : [{ op: "replace", path: "/spec/replicas", value: size }]),
    ...(isCreated ? [{ op: "add", path: "/metadata/labels", value: {} }] : []),
    ...marked,
    ...changes.map(([name, value]): JsonObject => {
      const path = `/metadata/labels/${name.replace("/", "~1")}`;
      return value === null ? { op: "remove", path } : { op: "add", path, value };
    }),
  ];
}
