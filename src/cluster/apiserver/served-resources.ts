import { qualifiedName } from "../../api/resource.ts";
import { type KindFacts, schemaTable } from "../../api/schema/table.ts";
import { builtInKind } from "./kinds/kinds.ts";
import type { ServedResource } from "./served-resource.ts";

/** Every resource that the server has. */
export interface ServedResources {
  readonly all: readonly ServedResource[];
  find(group: string, version: string, plural: string): ServedResource | undefined;
}

/** Serves every resource of the schema table, each with the strategy of its kind. */
export function serveResources(): ServedResources {
  const all = schemaTable().kinds.map(serve);
  const byPath = new Map(all.map((resource) => [pathOf(resource), resource]));
  return {
    all,
    find: (group, version, plural) => byPath.get(`${group}/${version}/${plural}`),
  };
}

function serve(facts: KindFacts): ServedResource {
  const { shortNames = [], categories = [], subresources = [], ...rest } = facts;
  const { strategy, collection = qualifiedName(facts), conversions } = builtInKind(facts);
  const conversion = conversions?.[facts.version];
  return {
    ...rest,
    shortNames,
    categories,
    subresources,
    strategy,
    collection,
    ...(conversion !== undefined && { conversion }),
  };
}

function pathOf({ group, version, plural }: Pick<KindFacts, "group" | "version" | "plural">): string {
  return `${group}/${version}/${plural}`;
}
