import { schemaTable } from "../../../api/schema/table.ts";

/** A kind with its group and version, as OpenAPI extensions and admission reviews name it. */
export type GroupVersionKind = Readonly<Record<"group" | "version" | "kind", string>>;

let byType: ReadonlyMap<string, readonly GroupVersionKind[]> | undefined;

/** Returns the kinds that have a type as their body; option types belong to every group and version. */
export function groupVersionKindsOf(typeName: string): readonly GroupVersionKind[] {
  byType ??= collect();
  return byType.get(typeName) ?? [];
}

/** Parses `apps/v1/Deployment`, or `v1/Pod` of the core group. */
export function parseGroupVersionKind(text: string): GroupVersionKind {
  const parts = text.split("/");
  return { group: parts.at(-3) ?? "", version: parts.at(-2) ?? "", kind: parts.at(-1) ?? "" };
}

function collect(): ReadonlyMap<string, readonly GroupVersionKind[]> {
  const { objects, groups } = schemaTable();
  const everywhere = groups.flatMap(({ group, versions }) => versions.map((version) => ({ group, version })));
  const found = new Map<string, GroupVersionKind[]>();
  for (const [name, type] of objects) {
    const own = parseGroupVersionKind(name);
    const kinds = name.startsWith("*/") ? everywhere.map((each) => ({ ...each, kind: own.kind })) : [own];
    found.set(type, [...(found.get(type) ?? []), ...kinds]);
  }
  return found;
}
