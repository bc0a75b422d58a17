import { apiType, record } from "../../../api/documents/document-schema.ts";
import type { NodeAffinity } from "../../../api/generated/core-v1.ts";
import { validateNodeAffinity } from "../../../api/pod/validate-node-affinity.ts";
import type { PluginArgsSpec } from "../plugin-entry.ts";

/** Node affinity that an operator adds to every Pod's own. */
export interface NodeAffinityArgs {
  readonly addedAffinity?: NodeAffinity;
}

export const nodeAffinityArgs: PluginArgsSpec<NodeAffinityArgs> = {
  schema: record("The arguments of NodeAffinity.", {
    addedAffinity: apiType<NodeAffinity>("Added to the affinity of every Pod.", "core.v1.NodeAffinity"),
  }),
  setDefaults: (document) => document,
  validate({ addedAffinity }: NodeAffinityArgs, path) {
    const errors =
      addedAffinity === undefined ? [] : validateNodeAffinity(addedAffinity, `${path}.addedAffinity`);
    return { errors, warnings: [] };
  },
};
