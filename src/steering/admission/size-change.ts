import type { JsonObject } from "../../api/json.ts";
import { isCount } from "../../decisions/rollout/counts.ts";
import { type AdmissionRequest, objectOf, textOf } from "./review.ts";

/** A change of a ReplicaSet's size, as a request asks for it. */
export interface SizeChange {
  readonly namespace: string;
  readonly name: string;
  /** Of the object to be changed; empty for one that is to be created. */
  readonly uid: string;
  readonly resourceVersion: string;
  readonly old: number;
  readonly asked: number;
}

const resources: ReadonlySet<string> = new Set(["replicasets", "replicasets/scale"]);

/** Reads a change of size from the request for a ReplicaSet or for its Scale; `undefined`: its size stays. */
export function sizeChangeOf(request: AdmissionRequest): SizeChange | undefined {
  if (!isMeantForSize(request)) return undefined;
  const { operation, namespace, name, object, oldObject } = request;
  const isNew = operation === "CREATE";
  const asked = sizeIn(object);
  const old = isNew ? 0 : sizeIn(oldObject);
  if (asked === undefined || old === undefined || asked === old) return undefined;
  const { name: written, uid, resourceVersion } = metadataOf(isNew ? object : oldObject);
  return { namespace, name: name || written, uid: isNew ? "" : uid, resourceVersion, old, asked };
}

function isMeantForSize(request: AdmissionRequest): boolean {
  return resources.has(request.resource) && request.namespace !== "" && !isStale(request);
}

/** Whether the API server will refuse an update, because it was made from an older version than the stored one. */
function isStale({ operation, object, oldObject }: AdmissionRequest): boolean {
  const { resourceVersion } = metadataOf(object);
  if (operation === "CREATE" || resourceVersion === "") return false;
  return resourceVersion !== metadataOf(oldObject).resourceVersion;
}

function metadataOf(object: JsonObject | undefined) {
  const metadata = objectOf(object?.["metadata"]);
  const member = (name: string) => textOf(metadata?.[name]);
  return { name: member("name"), uid: member("uid"), resourceVersion: member("resourceVersion") };
}

/** A Scale without replicas has none; the API server has set those of a ReplicaSet. */
function sizeIn(object: JsonObject | undefined): number | undefined {
  const replicas = objectOf(object?.["spec"])?.["replicas"] ?? 0;
  return isCount(replicas) ? replicas : undefined;
}
