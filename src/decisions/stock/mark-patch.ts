import { deletionCostAnnotation } from "../../api/deletion-cost.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import {
  annotationOf,
  decisionAnnotation,
  formatMarkedBy,
  hasMarkAnnotations,
  lastAssignedAnnotations,
  type Mark,
  type MarkedBy,
  markOf,
  originalCostAnnotation,
  originalCostText,
} from "./mark.ts";

/**
 * A merge patch that marks a Pod, refused for another Pod of the same name and, where asked for, for one that was changed
 * in any way; `undefined` if it has this very mark.
 */
export function markPatch(
  pod: Pod,
  mark: MarkedBy,
  onlyIf: "same-pod" | "unchanged" = "same-pod",
): JsonObject | undefined {
  const decision = formatMarkedBy(mark);
  if (annotationOf(pod, decisionAnnotation) === decision && markOf(pod)?.isIntact === true) return undefined;
  return {
    metadata: {
      uid: pod.metadata.uid,
      ...(onlyIf === "unchanged" && { resourceVersion: pod.metadata.resourceVersion }),
      annotations: {
        [deletionCostAnnotation]: String(mark.cost),
        // The cost that the user has set, even if the Pod is marked: a mark is never taken for the original.
        [originalCostAnnotation]: originalCostText(pod) ?? "",
        [decisionAnnotation]: decision,
        ...Object.fromEntries(notesInStep(pod).map((name) => [name, String(mark.cost)])),
      },
    },
  };
}

/**
 * JSON patch operations that remove our mark from a Pod, refused if the Pod is another one, or was marked anew, or its
 * cost was changed meanwhile. A cost that is no longer ours stays. `undefined`: there is nothing of ours.
 */
export function unmarkPatch(pod: Pod): readonly JsonObject[] | undefined {
  if (!hasMarkAnnotations(pod)) return undefined;
  const mark = markOf(pod);
  const own = [originalCostAnnotation, decisionAnnotation].flatMap((name) => removal(pod, name));
  const test = [{ op: "test", path: "/metadata/uid", value: pod.metadata.uid }];
  if (mark?.isIntact !== true) return [...test, ...own];
  const path = pathOf(deletionCostAnnotation);
  return [
    ...test,
    { op: "test", path, value: String(mark.cost) },
    mark.original === undefined ? { op: "remove", path } : { op: "replace", path, value: mark.original },
    ...notesInStep(pod).flatMap((name) => restored(name, mark)),
    ...own,
  ];
}

/** The notes of programs that say what the cost of a Pod is, so that they have to follow it. */
function notesInStep(pod: Pod): readonly string[] {
  const cost = annotationOf(pod, deletionCostAnnotation);
  return lastAssignedAnnotations.filter((name) => cost !== undefined && annotationOf(pod, name) === cost);
}

function restored(name: string, { cost, original }: Mark): readonly JsonObject[] {
  const path = pathOf(name);
  return [
    { op: "test", path, value: String(cost) },
    original === undefined ? { op: "remove", path } : { op: "replace", path, value: original },
  ];
}

function removal(pod: Pod, name: string): readonly JsonObject[] {
  const value = annotationOf(pod, name);
  if (value === undefined) return [];
  const path = pathOf(name);
  return [
    { op: "test", path, value },
    { op: "remove", path },
  ];
}

/** A slash within a member's name is written as `~1`. */
function pathOf(annotation: string): string {
  return `/metadata/annotations/${annotation.replaceAll("/", "~1")}`;
}
