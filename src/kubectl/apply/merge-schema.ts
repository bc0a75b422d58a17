import type { Json, JsonObject } from "../../api/json.ts";
import type { Context } from "../context.ts";
import { at, textAt } from "../selection/kube-object.ts";
import type { ApiResource } from "../server/discovery.ts";

/** The schemas of a group and version, and where in them a value is. */
export interface SchemaCursor {
  readonly schemas: JsonObject;
  readonly schema: Json | undefined;
}

/** The schema of a resource; one that knows nothing where the server has none. */
export async function mergeSchemaOf(
  context: Context,
  { group, version, kind }: ApiResource,
): Promise<SchemaCursor> {
  const path = group === "" ? `api/${version}` : `apis/${group}/${version}`;
  const document = await context.server.get(`/openapi/v3/${path}`);
  const schemas = (at(document, "components", "schemas") ?? {}) as JsonObject;
  const schema = Object.values(schemas).find((each) =>
    ((at(each, "x-kubernetes-group-version-kind") ?? []) as readonly JsonObject[]).some(
      (gvk) =>
        textAt(gvk, "group") === group && textAt(gvk, "version") === version && textAt(gvk, "kind") === kind,
    ),
  );
  return { schemas, schema };
}

/** Follows references, also those that `allOf` wraps to describe them. */
export function resolved({ schemas, schema }: SchemaCursor): SchemaCursor {
  const reference =
    textAt(schema, "$ref") || textAt(((at(schema, "allOf") ?? []) as readonly Json[])[0], "$ref");
  if (reference === "") return { schemas, schema };
  return resolved({ schemas, schema: schemas[reference.split("/").at(-1) ?? ""] });
}

/** The schema of a field as it is declared, which says how its list is merged. */
export function fieldOf(cursor: SchemaCursor, name: string): SchemaCursor {
  const { schemas, schema } = resolved(cursor);
  return { schemas, schema: at(schema, "properties", name) ?? at(schema, "additionalProperties") };
}

/** The schema of the items of a list. */
export function itemSchemaOf(cursor: SchemaCursor): SchemaCursor {
  const { schemas, schema } = resolved(cursor);
  return { schemas, schema: at(schema, "items") };
}

/** How a strategic patch merges a list: by a key, as a set, or not at all. */
export type ListMergeSchema =
  | { readonly by: "key"; readonly key: string }
  | { readonly by: "value" }
  | { readonly by: "nothing" };

export function listMergeOf({ schema }: SchemaCursor): ListMergeSchema {
  const strategy = textAt(schema, "x-kubernetes-patch-strategy");
  if (!strategy.split(",").includes("merge")) return { by: "nothing" };
  const key = textAt(schema, "x-kubernetes-patch-merge-key");
  return key === "" ? { by: "value" } : { by: "key", key };
}
