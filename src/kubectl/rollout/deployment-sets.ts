import { deepEqual } from "../../api/deep-equal.ts";
import type { JsonObject } from "../../api/json.ts";
import type { Context } from "../context.ts";
import { describedSelector } from "../describe/describe-lines.ts";
import { listObjects } from "../selection/fetch-objects.ts";
import { findType } from "../selection/find-type.ts";
import { at, type KubeObject, listAt, mapAt, textAt } from "../selection/kube-object.ts";

/** The ReplicaSets of a Deployment: those with its template, and the others. */
export async function deploymentSets(
  context: Context,
  deployment: KubeObject,
): Promise<{ readonly old: readonly KubeObject[]; readonly current: readonly KubeObject[] }> {
  const { namespace = "", uid } = deployment.metadata;
  const sets = await listObjects(context, {
    resource: findType(await context.server.resources(), "replicasets.apps"),
    namespace,
    query: { labelSelector: describedSelector(at(deployment, "spec", "selector")) },
  });
  const owned = sets.filter((set) =>
    listAt(set, "metadata", "ownerReferences").some(
      (owner) => owner["controller"] === true && owner["uid"] === uid,
    ),
  );
  const oldestFirst = owned.toSorted((one, other) =>
    textAt(one, "metadata", "creationTimestamp").localeCompare(
      textAt(other, "metadata", "creationTimestamp"),
    ),
  );
  const newest = oldestFirst.find((set) => hasTemplateOf(set, deployment));
  return { old: owned.filter((set) => set !== newest), current: newest === undefined ? [] : [newest] };
}

export function hasTemplateOf(set: JsonObject, deployment: JsonObject): boolean {
  return deepEqual(templateOf(set), templateOf(deployment));
}

/** The template without the label by which a ReplicaSet tells its Pods. */
export function templateOf(object: JsonObject): JsonObject {
  const template = (at(object, "spec", "template") ?? {}) as JsonObject;
  const { "pod-template-hash": _, ...labels } = mapAt(template, "metadata", "labels");
  const metadata = (template["metadata"] ?? {}) as JsonObject;
  return { ...template, metadata: { ...metadata, labels } };
}
