import { int32, record } from "../../../api/documents/document-schema.ts";
import { type FieldError, invalid } from "../../../api/field-error.ts";
import type { PluginArgsSpec } from "../plugin-entry.ts";

/** How many candidates to look for: the larger of the two. The search goes on until one of them violates no budget. */
export interface DefaultPreemptionArgs {
  /** Of the nodes where preemption may help. */
  readonly minCandidateNodesPercentage: number;
  readonly minCandidateNodesAbsolute: number;
}

const defaults: DefaultPreemptionArgs = { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 100 };

export const defaultPreemptionArgs: PluginArgsSpec<DefaultPreemptionArgs> = {
  schema: record("The arguments of DefaultPreemption.", {
    minCandidateNodesPercentage: int32("How many candidates are looked for, in percent of the nodes."),
    minCandidateNodesAbsolute: int32("How many candidates are looked for."),
  }),
  setDefaults: (document: Partial<DefaultPreemptionArgs>) => ({ ...defaults, ...document }),
  validate: (document: Partial<DefaultPreemptionArgs>, path) => ({
    errors: validate({ ...defaults, ...document }, path),
    warnings: [],
  }),
};

function validate(args: DefaultPreemptionArgs, path: string): readonly FieldError[] {
  const { minCandidateNodesPercentage: percentage, minCandidateNodesAbsolute: absolute } = args;
  const errors: FieldError[] = [];
  if (percentage < 0 || percentage > 100)
    errors.push(invalid(`${path}.minCandidateNodesPercentage`, percentage, "not in valid range [0, 100]"));
  if (absolute < 0)
    errors.push(invalid(`${path}.minCandidateNodesAbsolute`, absolute, "not in valid range [0, inf)"));
  if (percentage === 0 && absolute === 0) {
    const problem = "cannot be zero at the same time as";
    errors.push(
      invalid(`${path}.minCandidateNodesPercentage`, 0, `${problem} minCandidateNodesAbsolute`),
      invalid(`${path}.minCandidateNodesAbsolute`, 0, `${problem} minCandidateNodesPercentage`),
    );
  }
  return errors;
}
