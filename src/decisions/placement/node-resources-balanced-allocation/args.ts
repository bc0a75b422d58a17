import { record } from "../../../api/documents/document-schema.ts";
import { duplicate, invalid } from "../../../api/field-error.ts";
import { each } from "../../../api/field-checks.ts";
import { type ResourceDocument, resourcesSchema, withWeights } from "../node-resources-fit/args.ts";
import type { WeightedResource } from "../node-resources-fit/scoring-strategy.ts";
import type { PluginArgsSpec } from "../plugin-entry.ts";

/** The resources whose usage is balanced; their weights do not matter. */
export interface BalancedAllocationArgs {
  readonly resources?: readonly WeightedResource[];
}

/** The arguments as a file has them. */
interface BalancedAllocationArgsDocument {
  readonly resources?: readonly ResourceDocument[];
}

export const balancedAllocationArgs: PluginArgsSpec<BalancedAllocationArgs> = {
  schema: record("The arguments of NodeResourcesBalancedAllocation.", { resources: resourcesSchema }),
  setDefaults: (document: BalancedAllocationArgsDocument) => withWeights(document.resources),
  validate(document: BalancedAllocationArgsDocument, path) {
    const { resources = [] } = withWeights(document.resources);
    const errors = each(resources, `${path}.resources`, ({ name, weight }, at, index) => [
      ...(resources.slice(0, index).some((other) => other.name === name)
        ? [duplicate(`${at}.name`, name)]
        : []),
      ...(weight === 1 ? [] : [invalid(`${at}.weight`, weight, "must be 1")]),
    ]);
    return { errors, warnings: [] };
  },
};
