import type { KindStrategy } from "../../api/kinds/kind-strategy.ts";
import { qualifiedName } from "../../api/resource.ts";
import { type KindFacts, schemaTable } from "../../api/schema/table.ts";
import { autoscalerConversion } from "./conversions/autoscaler.ts";
import { eventConversion } from "./conversions/event.ts";
import type { Conversion, ServedResource } from "./served-resource.ts";

/** Every collection the server has. */
export interface ServedResources {
  readonly all: readonly ServedResource[];
  find(group: string, version: string, plural: string): ServedResource | undefined;
}

/** Resources whose objects live in the collection of another one, by `group/version/plural`. */
const views: ReadonlyMap<string, { readonly collection: string; readonly conversion: Conversion }> = new Map([
  ["events.k8s.io/v1/events", { collection: "events", conversion: eventConversion }],
  [
    "autoscaling/v1/horizontalpodautoscalers",
    { collection: "horizontalpodautoscalers.autoscaling", conversion: autoscalerConversion },
  ],
]);

/** Serves what the schema table lists, each kind with its manners. */
export function serveResources(mannersOf: (group: string, kind: string) => KindStrategy): ServedResources {
  const all = schemaTable().kinds.map((facts) => serve(facts, mannersOf(facts.group, facts.kind)));
  const byPath = new Map(all.map((resource) => [pathOf(resource), resource]));
  return {
    all,
    find: (group, version, plural) => byPath.get(`${group}/${version}/${plural}`),
  };
}

function serve(facts: KindFacts, manners: KindStrategy): ServedResource {
  const { shortNames = [], categories = [], subresources = [], ...rest } = facts;
  const view = views.get(pathOf(facts));
  return {
    ...rest,
    shortNames,
    categories,
    subresources,
    strategy: manners,
    collection: qualifiedName(facts),
    ...view,
  };
}

function pathOf({ group, version, plural }: Pick<KindFacts, "group" | "version" | "plural">): string {
  return `${group}/${version}/${plural}`;
}
