import type { StoredObject } from "../../api/object.ts";

/** The name of an object that explanations are about. */
export interface ExplainedObject {
  readonly kind: "Deployment" | "ReplicaSet" | "ReplicationController" | "StatefulSet" | "DaemonSet" | "Pod";
  readonly namespace: string;
  readonly name: string;
}

/** Whether an object has a namespace and a name. */
export function isNamed(
  { metadata }: StoredObject,
  { namespace, name }: Pick<ExplainedObject, "namespace" | "name">,
): boolean {
  return metadata.name === name && (metadata.namespace ?? "") === namespace;
}
