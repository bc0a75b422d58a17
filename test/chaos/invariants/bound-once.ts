import { keyOf } from "../../../src/api/object.ts";
import type { ObservedCommit } from "../../../src/simulation/observation.ts";
import type { Invariant } from "./invariant.ts";
import { podChangeIn } from "./stored.ts";

/** A Pod that has a node keeps it until it is gone, and only a Pod with a node runs. */
export const boundOnce: Invariant = {
  name: "bound-once",
  description: "nothing is bound to two nodes, and nothing runs without one",
  begin: () => ({ commit: check }),
};

function check({ collection, event }: ObservedCommit): string | undefined {
  if (collection !== "pods") return undefined;
  const { pod, was } = podChangeIn(event);
  const { nodeName } = pod.spec;
  if (was?.spec.nodeName !== undefined && was.spec.nodeName !== nodeName)
    return `${keyOf(pod)} went from ${was.spec.nodeName} to ${nodeName ?? "no node"}`;
  if (nodeName === undefined && pod.status?.phase === "Running") return `${keyOf(pod)} runs without a node`;
  return undefined;
}
