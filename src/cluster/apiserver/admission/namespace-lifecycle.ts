import type { Namespace } from "../../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import { type Admission, admit, deny } from "./admission.ts";

/** Namespaces that cannot be deleted. */
const immortalNamespaces: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

type NamespaceState = Pick<Namespace, "status"> & {
  readonly metadata: Pick<Namespace["metadata"], "name" | "deletionTimestamp">;
};

/** Admits a new object to its namespace, unless the namespace is being deleted. */
export function admitToNamespace<T>(object: T, namespace: NamespaceState): Admission<T> {
  const { name } = namespace.metadata;
  const isTerminating = isBeingDeleted(namespace) || namespace.status?.phase === "Terminating";
  if (!isTerminating) return admit(object);
  const message = `namespace ${name} is being terminated`;
  return deny(`unable to create new content in namespace ${name} because it is being terminated`, [
    // Controllers and event recorders give up on this cause instead of retrying.
    { reason: "NamespaceTerminating", message, field: "metadata.namespace" },
  ]);
}

/** Admits the deletion of a namespace that is not immortal. */
export function admitNamespaceDelete(name: string): Admission<undefined> {
  return immortalNamespaces.has(name) ? deny("this namespace may not be deleted") : admit(undefined);
}
