import { qualifiedKind, qualifiedName } from "../../../api/resource.ts";
import { type KindFacts, schemaTable } from "../../../api/schema/table.ts";
import type { ServedKind } from "../kind-registry.ts";
import { tableSchema } from "../schema/table-schema.ts";
import type { ServedResource } from "../served-resource.ts";
import { builtInKind, tableFor } from "./kinds.ts";

/** Returns the kinds of the schema table, each with its strategy, its presentation and its versions. */
export function serveBuiltInKinds(): readonly ServedKind[] {
  const kinds = new Map<string, KindFacts[]>();
  for (const facts of schemaTable().kinds) {
    const key = qualifiedKind(facts);
    kinds.set(key, [...(kinds.get(key) ?? []), facts]);
  }
  return [...kinds.values()].flatMap((versions) => {
    const [first] = versions;
    return first === undefined
      ? []
      : [{ group: first.group, kind: first.kind, versions: versions.map(served) }];
  });
}

/** The warning in every response about a deprecated kind. */
const deprecationWarnings: ReadonlyMap<string, string> = new Map([
  ["Endpoints", "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"],
  ["ComponentStatus", "v1 ComponentStatus is deprecated in v1.19+"],
]);

function served(facts: KindFacts): ServedResource {
  const { shortNames = [], categories = [], subresources = [], type, ...rest } = facts;
  const { strategy, collection = qualifiedName(facts), conversions } = builtInKind(facts);
  const conversion = conversions?.[facts.version];
  const deprecationWarning = deprecationWarnings.get(qualifiedKind(facts));
  return {
    ...rest,
    shortNames,
    categories,
    subresources,
    schema: tableSchema(type),
    strategy,
    table: tableFor(facts),
    collection,
    ...(deprecationWarning !== undefined && { deprecationWarning }),
    ...(conversion !== undefined && { conversion }),
  };
}
