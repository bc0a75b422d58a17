import { keyOf } from "../../../api/object.ts";
import { apiVersionOf, qualifiedName } from "../../../api/resource.ts";
import { valueAtPath } from "../../../api/value-at-path.ts";
import type { KindRegistry } from "../../apiserver/kind-registry.ts";
import { toServed } from "../../apiserver/storage/served-object.ts";
import type { Store } from "../../store/store.ts";
import type { FindCustomController } from "./pod-controllers.ts";

/** Returns how controllers of custom kinds are found: by what the API server serves, in its store. */
export function customControllers(store: Store, kinds: KindRegistry): FindCustomController {
  return ({ apiVersion, kind, name, uid }, namespace) => {
    const resource = kinds.all.find(
      (each) => each.isCustom === true && each.kind === kind && apiVersionOf(each) === apiVersion,
    );
    if (resource === undefined) return undefined;
    const { scalePaths } = resource;
    const key = keyOf({ metadata: { name, ...(resource.namespaced && { namespace }) } });
    const record = store.collection(resource.collection).get(key);
    const known = { resource: qualifiedName(resource), scale: undefined };
    if (scalePaths === undefined || record?.object.metadata.uid !== uid) return known;
    // Objects that a webhook converts are read as they are stored, since a webhook cannot be awaited here.
    const isSlow = resource.conversion?.ahead !== undefined;
    const object = isSlow ? record.object : toServed(resource, record).object;
    const replicas = valueAtPath(object, scalePaths.specReplicasPath);
    return { ...known, scale: { uid, replicas: typeof replicas === "number" ? replicas : 0 } };
  };
}
