import { keyOf } from "../../../src/api/object.ts";
import { controllerOf } from "../../../src/api/owner-references.ts";
import type { ObservedCommit } from "../../../src/simulation/observation.ts";
import type { Invariant } from "./invariant.ts";
import { podChangeIn } from "./stored.ts";

/** A Pod has one controller at most, and is let go by one before it is another's. */
export const ownedOnce: Invariant = {
  name: "owned-once",
  description: "no Pod is owned twice",
  begin: () => ({ commit: check }),
};

function check({ collection, event }: ObservedCommit): string | undefined {
  if (collection !== "pods") return undefined;
  const { pod, was } = podChangeIn(event);
  const controllers = (pod.metadata.ownerReferences ?? []).filter(({ controller }) => controller === true);
  if (controllers.length > 1)
    return `${keyOf(pod)} has ${controllers.length} controllers: ${controllers.map(({ name }) => name).join(", ")}`;
  const before = was === undefined ? undefined : controllerOf(was);
  const [now] = controllers;
  if (before === undefined || now === undefined || before.uid === now.uid) return undefined;
  return `${keyOf(pod)} was taken from ${before.name} (${before.uid}) by ${now.name} (${now.uid})`;
}
