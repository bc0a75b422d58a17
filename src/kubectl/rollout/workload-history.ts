import { deepEqual } from "../../api/deep-equal.ts";
import type { JsonObject } from "../../api/json.ts";
import { revisionAnnotation } from "../../decisions/rollout/annotations.ts";
import { failure } from "../command-failure.ts";
import type { Context } from "../context.ts";
import { describedSelector } from "../describe/describe-lines.ts";
import { type Item, listObjects } from "../selection/fetch-objects.ts";
import { findType } from "../selection/find-type.ts";
import { at, type KubeObject, listAt, mapAt, numberAt } from "../selection/kube-object.ts";
import { deploymentSets, templateOf } from "./deployment-sets.ts";

/** A revision of a workload: its number, and the template it had. */
export interface Revision {
  readonly number: number;
  readonly cause: string;
  readonly template: JsonObject;
  /** Of a ControllerRevision: the patch that brings it back. */
  readonly patch?: JsonObject;
}

export const causeAnnotation = "kubernetes.io/change-cause";

/** The revisions of a workload, oldest first. Throws for a kind that has none. */
export async function workloadRevisions(
  context: Context,
  { resource, object }: Item,
): Promise<readonly Revision[]> {
  const { kind } = resource;
  if (kind === "Deployment") return deploymentRevisions(context, object);
  if (kind === "StatefulSet" || kind === "DaemonSet") return controllerRevisions(context, object);
  throw failure(`no history viewer has been implemented for ${JSON.stringify(kind)}`);
}

async function deploymentRevisions(context: Context, deployment: KubeObject): Promise<readonly Revision[]> {
  const { old, current } = await deploymentSets(context, deployment);
  return inOrder(
    [...old, ...current].map((set) => {
      const annotations = mapAt(set, "metadata", "annotations");
      return {
        number: Number(annotations[revisionAnnotation] ?? 0),
        cause: annotations[causeAnnotation] ?? "",
        template: (at(set, "spec", "template") ?? {}) as JsonObject,
      };
    }),
  );
}

const inOrder = (revisions: readonly Revision[]) =>
  revisions.filter(({ number }) => number > 0).toSorted((one, other) => one.number - other.number);

async function controllerRevisions(context: Context, workload: KubeObject): Promise<readonly Revision[]> {
  const { namespace = "", uid } = workload.metadata;
  const found = await listObjects(context, {
    resource: findType(await context.server.resources(), "controllerrevisions.apps"),
    namespace,
    query: { labelSelector: describedSelector(at(workload, "spec", "selector")) },
  });
  const owned = found.filter((each) =>
    listAt(each, "metadata", "ownerReferences").some(
      (owner) => owner["controller"] === true && owner["uid"] === uid,
    ),
  );
  return inOrder(
    owned.map((each) => ({
      number: numberAt(each, "revision") ?? 0,
      cause: mapAt(each, "metadata", "annotations")[causeAnnotation] ?? "",
      template: (at(each, "data", "spec", "template") ?? {}) as JsonObject,
      patch: (each["data"] ?? {}) as JsonObject,
    })),
  );
}

/** The revision to go back to: the one of a number, or for 0 the one before the newest. */
export function targetRevision(revisions: readonly Revision[], number: number, missing: Error): Revision {
  if (number === 0) {
    const previous = revisions.at(-2);
    if (previous === undefined) throw missing;
    return previous;
  }
  const found = revisions.find((each) => each.number === number);
  if (found === undefined) throw failure(`unable to find specified revision ${number} in history`);
  return found;
}

/** Whether a workload has the template of a revision. */
export function isAtRevision(workload: KubeObject, { template }: Revision): boolean {
  const { $patch: _, ...rest } = template;
  return deepEqual(templateOf({ spec: { template: rest } }), templateOf(workload));
}
