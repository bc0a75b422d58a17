import { int32, record } from "../../../api/documents/document-schema.ts";
import { invalid } from "../../../api/field-error.ts";
import type { PluginArgsSpec } from "../plugin-entry.ts";

/** How long a Pod with a node waits until its claims are bound. */
export interface VolumeBindingArgs {
  readonly bindTimeoutSeconds: number;
}

const defaults: VolumeBindingArgs = { bindTimeoutSeconds: 600 };

export const volumeBindingArgs: PluginArgsSpec<VolumeBindingArgs> = {
  schema: record("The arguments of VolumeBinding.", {
    bindTimeoutSeconds: int32("How long a Pod with a node waits until its claims are bound."),
  }),
  setDefaults: (document: Partial<VolumeBindingArgs>) => ({ ...defaults, ...document }),
  validate(document: Partial<VolumeBindingArgs>, path) {
    const { bindTimeoutSeconds } = { ...defaults, ...document };
    const problem = "invalid BindTimeoutSeconds, should not be a negative value";
    const errors =
      bindTimeoutSeconds < 0 ? [invalid(`${path}.bindTimeoutSeconds`, bindTimeoutSeconds, problem)] : [];
    return { errors, warnings: [] };
  },
};
