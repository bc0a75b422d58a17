import type { JsonObject } from "../../../api/json.ts";
import { schemaTable } from "../../../api/schema/table.ts";
import type { GroupVersion } from "../discovery/listed-resource.ts";
import { type DocumentedResource, renderPaths } from "./paths.ts";
import { schemaName } from "./schema-names.ts";
import { type HiddenFields, type RenderedType, renderType } from "./type-schema.ts";

/** Types of bodies that every group and version uses. */
const everywhere = ["meta.v1.DeleteOptions", "meta.v1.Status", "meta.v1.Patch", "meta.v1.WatchEvent"];

/** Renders the OpenAPI v3 document of one API group and version, with everything it refers to. */
export function renderDocument(
  groupVersion: GroupVersion<DocumentedResource>,
  hidden: HiddenFields,
): JsonObject {
  const rendered = groupVersion.resources.map(renderPaths);
  const own = new Map(groupVersion.resources.flatMap(({ schema }) => [...(schema.definitions ?? [])]));
  const roots = [...everywhere, ...rendered.flatMap(({ types }) => types)];
  return {
    openapi: "3.0.0",
    info: { title: "Trimtab", version: `v${schemaTable().kubernetes}` },
    paths: Object.assign({}, ...rendered.map(({ paths }) => paths)) as JsonObject,
    components: { schemas: schemasOf(roots, (type) => own.get(type) ?? renderType(type, hidden)) },
  };
}

/** Renders types and all types that they refer to, by the names of their schemas. */
export function schemasOf(roots: readonly string[], render: (type: string) => RenderedType): JsonObject {
  const schemas = new Map<string, JsonObject>();
  const open = new Set(roots);
  // Iterating a set includes what is added during the iteration.
  for (const typeName of open) {
    const { schema, references } = render(typeName);
    schemas.set(schemaName(typeName), schema);
    for (const reference of references) open.add(reference);
  }
  return Object.fromEntries([...schemas].sort(([left], [right]) => (left < right ? -1 : 1)));
}
