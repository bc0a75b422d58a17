import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import { ownWishText, wishAnnotations } from "./wish.ts";

/** Wakes the Deployment of a ReplicaSet: any change of a ReplicaSet does. */
export const roomAnnotation = "trimtab.dev/room";

/**
 * The annotations that a ReplicaSet lacks or has too many, as a merge patch; `undefined` when it has those of its
 * Deployment. The API server calls the webhook for ReplicaSets that carry them.
 */
export function wishCopies(
  deployment: Deployment,
  { metadata }: ReplicaSet,
): Readonly<Record<string, string | null>> | undefined {
  const changes = wishAnnotations.flatMap((name): readonly [string, string | null][] => {
    const wanted = ownWishText(deployment, name) ?? null;
    return (metadata.annotations?.[name] ?? null) === wanted ? [] : [[name, wanted]];
  });
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}
