import type { NodeAffinity } from "../../../api/generated/core-v1.ts";
import { validateNodeAffinity } from "../../../api/pod/validate-node-affinity.ts";
import type { PluginArgsSpec } from "../plugin-entry.ts";

/** Node affinity that an operator adds to every Pod's own. */
export interface NodeAffinityArgs {
  readonly addedAffinity?: NodeAffinity;
}

export const nodeAffinityArgs: PluginArgsSpec<NodeAffinityArgs> = {
  shape: { members: { addedAffinity: "core.v1.NodeAffinity" } },
  setDefaults: (document) => document,
  validate({ addedAffinity }: NodeAffinityArgs, path) {
    const errors =
      addedAffinity === undefined ? [] : validateNodeAffinity(addedAffinity, `${path}.addedAffinity`);
    return { errors, warnings: [] };
  },
};
