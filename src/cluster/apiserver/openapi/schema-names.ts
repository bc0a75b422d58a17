import { schemaTable } from "../../../api/schema/table.ts";

/** Returns the name of a type in OpenAPI documents: `io.k8s.api.apps.v1.Deployment` for `apps.v1.Deployment`. */
export function schemaName(typeName: string): string {
  const { packages, scalars } = schemaTable();
  const cut = typeName.lastIndexOf(".");
  const prefix = packages.get(typeName.slice(0, cut))?.openapi;
  return prefix === undefined
    ? (scalars.get(typeName)?.openapi ?? typeName)
    : `${prefix}.${typeName.slice(cut + 1)}`;
}

/** Returns a reference to the schema of a type. */
export function schemaReference(typeName: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${schemaName(typeName)}` };
}
