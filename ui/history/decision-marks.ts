import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isBeingDeleted } from "../../src/api/object.ts";
import type { LiveChange } from "../live/kinds.ts";

/** The decisions that changes show: a Pod that got a node, one that is being deleted, a revision that got another size. */
export type MarkedDecision = "placement" | "removal" | "resize";

/** The decision that a change comes from, if it comes from one. */
export function decisionIn({ kind, before, after }: LiveChange): MarkedDecision | undefined {
  if (kind === "pods") return podDecision(before as Pod | undefined, after as Pod | undefined);
  if (kind !== "replicaSets") return undefined;
  const [was, is] = [before, after].map((each) => (each as ReplicaSet | undefined)?.spec?.replicas ?? 0);
  return was === is ? undefined : "resize";
}

function podDecision(before: Pod | undefined, after: Pod | undefined): MarkedDecision | undefined {
  if (after === undefined) return undefined;
  if (isBeingDeleted(after)) return before === undefined || isBeingDeleted(before) ? undefined : "removal";
  return before?.spec?.nodeName === undefined && after.spec?.nodeName !== undefined ? "placement" : undefined;
}
