import type { JsonObject } from "../../api/json.ts";
import type { Resource } from "../../api/resource.ts";
import { namespaces, priorityClasses, serviceAccounts } from "../../api/resources.ts";
import {
  type ClusterObjects,
  clusterResources,
  collectionNames,
} from "../../decisions/explain/cluster-objects.ts";

/** An object that a snapshot refers to and does not have. */
export interface MissingObject {
  readonly resource: Resource;
  readonly object: JsonObject;
}

/**
 * What the API server needs so that Pods can be created: their namespaces and priority classes, if the snapshot was
 * taken without permission to read them, and a service account in each namespace.
 */
export function missingObjects(objects: ClusterObjects): readonly MissingObject[] {
  const names = namespaceNames(objects);
  const known = new Set(objects.namespaces.map(({ metadata }) => metadata.name));
  return [
    ...names
      .filter((name) => !known.has(name))
      .map((name) => ({ resource: namespaces, object: active(name) })),
    ...names.map((namespace) => ({
      resource: serviceAccounts,
      object: { metadata: { name: "default", namespace, uid: uidOf(`account ${namespace}`) } },
    })),
    ...missingClasses(objects),
  ];
}

function active(name: string): JsonObject {
  return {
    metadata: { name, uid: uidOf(`namespace ${name}`) },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}

/** Returns a UID that no object of the cluster has; no decision depends on it. */
function uidOf(what: string): string {
  return `simulated ${what}`;
}

function namespaceNames(objects: ClusterObjects): readonly string[] {
  const all = collectionNames
    .filter((name) => clusterResources[name].namespaced)
    .flatMap((name) => objects[name].map(({ metadata }) => metadata.namespace ?? ""));
  const own = objects.namespaces.map(({ metadata }) => metadata.name);
  return [...new Set([...own, ...all])].sort();
}

/** The priority classes that Pods name, with the priority that Pods of the class have. */
function missingClasses({ pods, priorityClasses: known }: ClusterObjects): readonly MissingObject[] {
  const values = new Map<string, number>();
  for (const { spec } of pods)
    if (spec.priorityClassName !== undefined && spec.priorityClassName !== "")
      values.set(spec.priorityClassName, spec.priority ?? 0);
  for (const { metadata } of known) values.delete(metadata.name);
  return [...values].map(([name, value]) => ({
    resource: priorityClasses,
    object: { metadata: { name, uid: uidOf(`priority class ${name}`) }, value },
  }));
}
