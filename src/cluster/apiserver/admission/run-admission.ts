import type { Namespace } from "../../../api/generated/core-v1.ts";
import type { StorageClass } from "../../../api/generated/storage-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { ObjectUpdate } from "../kinds/kind-strategy.ts";
import { qualifiedKind } from "../../../api/resource.ts";
import { checkEscalation } from "../auth/escalation.ts";
import { metadataOf } from "../registry/object-meta.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ServedResource } from "../served-resource.ts";
import type { ServerContext } from "../server-context.ts";
import { forbiddenRequest, notFoundError } from "../status-errors.ts";
import type { Admission } from "./admission.ts";
import { type AdmissionLookups, admitObjectCreate, admitObjectUpdate } from "./admit-object.ts";
import { limitRangesOf } from "./commit-admitted.ts";
import { admitNamespaceDelete, admitToNamespace } from "./namespace-lifecycle.ts";
import { admitPriorityClassDelete } from "./priority.ts";

/** Returns a new object as admission completes it; throws 404 without its namespace, 403 when it is denied. */
export function admitCreate(context: ServerContext, request: ApiRequest, object: JsonObject): JsonObject {
  const { resource } = request;
  checkEscalation(context, request, { next: object });
  const namespace = namespaceOf(context, request);
  const attributes = { kind: qualifiedKind(resource), namespace, object };
  return orForbidden(admitObjectCreate(attributes, lookupsOf(context)), resource, object);
}

/** Throws 404 or 403 when the namespace of a new object was deleted, or began to be, since the object was admitted. */
export function checkNamespace(context: ServerContext, request: ApiRequest): void {
  const { resource, name = "" } = request;
  const namespace = namespaceOf(context, request);
  if (namespace !== undefined)
    orForbidden(admitToNamespace(undefined, namespace), resource, { metadata: { name } });
}

/** Returns an updated object as admission completes it; throws 403 when it is denied. */
export function admitUpdate(context: ServerContext, request: ApiRequest, change: ObjectUpdate): JsonObject {
  const { resource } = request;
  checkEscalation(context, request, change);
  const admission = admitObjectUpdate(qualifiedKind(resource), change, lookupsOf(context));
  return orForbidden(admission, resource, change.next);
}

/** Throws 403 for an object that may not be deleted. */
export function admitDelete({ resource, name = "" }: ApiRequest): void {
  const rule = deletionRules.get(qualifiedKind(resource));
  if (rule !== undefined) orForbidden(rule(name), resource, { metadata: { name } });
}

/** By kind: decides whether the object with a name may be deleted. */
const deletionRules: ReadonlyMap<string, (name: string) => Admission<undefined>> = new Map([
  ["Namespace", admitNamespaceDelete],
  ["PriorityClass.scheduling.k8s.io", admitPriorityClassDelete],
]);

function orForbidden<T>(admission: Admission<T>, resource: ServedResource, object: JsonObject): T {
  if (admission.admitted) return admission.object;
  const { because, causes } = admission;
  const { name, generateName = "" } = metadataOf(object);
  throw forbiddenRequest(resource, name ?? generateName, {
    why: because,
    ...(causes !== undefined && { causes }),
  });
}

function namespaceOf({ store }: ServerContext, { resource, namespace }: ApiRequest): Namespace | undefined {
  if (!resource.namespaced) return undefined;
  const record = store.collection("namespaces").get(namespace ?? "");
  if (record === undefined) throw notFoundError({ group: "", plural: "namespaces" }, namespace ?? "");
  return record.object as unknown as Namespace;
}

function lookupsOf({ store, disabledAdmission }: ServerContext): AdmissionLookups {
  return {
    assignsAccounts: !disabledAdmission.has("ServiceAccount"),
    serviceAccount: (namespace, name) =>
      store.collection("serviceaccounts").get(`${namespace}/${name}`)?.object,
    priorityClasses: () =>
      [...store.collection("priorityclasses.scheduling.k8s.io").records()].map(({ object }) => object),
    runtimeClass: (name) => store.collection("runtimeclasses.node.k8s.io").get(name)?.object,
    limitRanges: (namespace) => limitRangesOf(store, namespace),
    storageClasses: () =>
      [...store.collection("storageclasses.storage.k8s.io").records()].map(
        ({ object }) => object as unknown as StorageClass,
      ),
  };
}
