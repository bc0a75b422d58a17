import type { JsonObject } from "../../../api/json.ts";
import { apiVersionOf } from "../../../api/resource.ts";
import type { ServedResource } from "../served-resource.ts";
import type { ServedResources } from "../kind-registry.ts";
import type { VersionConverter } from "../managed-fields/apply-configuration.ts";

/** Converts objects between the versions of a resource's kind that share its stored objects. */
export function versionConverter(resources: ServedResources, resource: ServedResource): VersionConverter {
  const versions = resources.sharing(resource.collection);
  const find = (apiVersion: string) => versions.find((each) => apiVersionOf(each) === apiVersion);
  return (object, [from, to]) => {
    const target = find(to);
    if (target === undefined) return undefined;
    const structure = target.schema.trackedStructure;
    if (from === to) return { structure, object };
    const source = find(from);
    if (source === undefined) return undefined;
    // A webhook is not asked for this: managers of other versions keep their entries, and fields of one path are the same.
    if (source.conversion?.ahead !== undefined) return { structure, object: { ...object, apiVersion: to } };
    return { structure, object: fromStorage(target, toStorage(source, object)) };
  };
}

function toStorage({ conversion }: ServedResource, object: JsonObject): JsonObject {
  return conversion?.toStorage(object) ?? object;
}

function fromStorage({ conversion }: ServedResource, object: JsonObject): JsonObject {
  return conversion?.fromStorage(object) ?? object;
}
