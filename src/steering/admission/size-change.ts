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

/** Reads a change of size from the request for a ReplicaSet or for its Scale; `undefined`: its size stays. */
export function sizeChangeOf({
  operation,
  resource,
  namespace,
  name,
  object,
  oldObject,
}: AdmissionRequest): SizeChange | undefined {
  if (resource !== "replicasets" && resource !== "replicasets/scale") return undefined;
  const asked = sizeIn(object);
  const old = operation === "CREATE" ? 0 : sizeIn(oldObject);
  if (asked === undefined || old === undefined || asked === old || namespace === "") return undefined;
  const metadata = objectOf((operation === "CREATE" ? object : oldObject)?.["metadata"]) ?? {};
  return {
    namespace,
    name: name === "" ? textOf(metadata["name"]) : name,
    uid: operation === "CREATE" ? "" : textOf(metadata["uid"]),
    resourceVersion: textOf(metadata["resourceVersion"]),
    old,
    asked,
  };
}

/** A Scale without replicas has none; the API server has set those of a ReplicaSet. */
function sizeIn(object: JsonObject | undefined): number | undefined {
  const replicas = objectOf(object?.["spec"])?.["replicas"] ?? 0;
  return isCount(replicas) ? replicas : undefined;
}
