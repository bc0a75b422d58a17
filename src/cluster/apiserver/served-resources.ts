import type { KindStrategy } from "./kinds/kind-strategy.ts";
import { type GroupKind, qualifiedName } from "../../api/resource.ts";
import { type KindFacts, schemaTable } from "../../api/schema/table.ts";
import { autoscalerConversion } from "./kinds/horizontal-pod-autoscaler/conversion.ts";
import { eventConversion } from "./kinds/event/conversion.ts";
import type { Conversion, ServedResource } from "./served-resource.ts";

/** Every resource that the server has. */
export interface ServedResources {
  readonly all: readonly ServedResource[];
  find(group: string, version: string, plural: string): ServedResource | undefined;
}

/** Resources that are stored in the collection of another one, by `group/version/plural`. */
const views: ReadonlyMap<string, { readonly collection: string; readonly conversion: Conversion }> = new Map([
  ["events.k8s.io/v1/events", { collection: "events", conversion: eventConversion }],
  [
    "autoscaling/v1/horizontalpodautoscalers",
    { collection: "horizontalpodautoscalers.autoscaling", conversion: autoscalerConversion },
  ],
]);

/** Serves every resource of the schema table, each with the strategy of its kind. */
export function serveResources(strategyOf: (groupKind: GroupKind) => KindStrategy): ServedResources {
  const all = schemaTable().kinds.map((facts) => serve(facts, strategyOf(facts)));
  const byPath = new Map(all.map((resource) => [pathOf(resource), resource]));
  return {
    all,
    find: (group, version, plural) => byPath.get(`${group}/${version}/${plural}`),
  };
}

function serve(facts: KindFacts, strategy: KindStrategy): ServedResource {
  const { shortNames = [], categories = [], subresources = [], ...rest } = facts;
  const view = views.get(pathOf(facts));
  return {
    ...rest,
    shortNames,
    categories,
    subresources,
    strategy,
    collection: qualifiedName(facts),
    ...view,
  };
}

function pathOf({ group, version, plural }: Pick<KindFacts, "group" | "version" | "plural">): string {
  return `${group}/${version}/${plural}`;
}
