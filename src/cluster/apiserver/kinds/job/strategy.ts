import { invalid } from "../../../../api/field-error.ts";
import type { Job } from "../../../../api/generated/batch-v1.ts";
import { dns1123LabelProblems } from "../../../../api/names.ts";
import { fillAbsent, mapMembers, withMember } from "../../../../api/defaulting.ts";
import { type FieldErrors, none } from "../../../../api/field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";
import { isSameGeneration, templateWarnings } from "../workload/pod-template.ts";
import { nameWarning } from "../workload/selector-and-template.ts";
import { validateJobSelector, withGeneratedSelector } from "./job-selector.ts";
import { jobSpecDefaults, jobSpecWarnings, validateJobSpec } from "./job-spec.ts";
import { validateJobStatus } from "./job-status.ts";
import { validateJobUpdate } from "./job-update.ts";

/** The strategy of Jobs; the server generates the selector. */
export const jobStrategy: KindStrategy<Sent<Job>> = {
  defaults(object) {
    return withLabelsOfTemplate(mapMembers(fillAbsent(object, { spec: {} }), { spec: jobSpecDefaults }));
  },
  prepareForCreate(object) {
    return withGeneratedSelector(withMember(object, "status", undefined));
  },
  validate(object, context, stored) {
    const { spec = {} } = object;
    // Jobs that were stored before selectors were generated have none.
    const hasSelector = stored === undefined || stored.spec?.selector !== undefined;
    return [
      ...(hasSelector ? validateJobSelector(object) : none),
      ...validateJobSpec({ spec, stored: stored?.spec }, "spec", context),
      ...validateHostNames(object),
    ];
  },
  validateUpdate: validateJobUpdate,
  validateStatusUpdate: validateJobStatus,
  warnings(object, _context, stored) {
    return [
      ...nameWarning(object, stored),
      ...(isSameGeneration(object, stored) ? [] : jobSpecWarnings(object.spec, "spec")),
      ...templateWarnings(object, stored),
    ];
  },
  selectableFields({ status }) {
    return { "status.successful": String(status?.succeeded ?? 0) };
  },
  needsComponent: true,
  generation: "spec",
  orphansByDefault: true,
  deleteWarning:
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
  unconditionalUpdate: true,
};

function withLabelsOfTemplate(object: Sent<Job>): Sent<Job> {
  const labels = object.spec?.template?.metadata?.labels;
  const own = object.metadata?.labels ?? {};
  if (labels === undefined || Object.keys(own).length > 0) return object;
  return { ...object, metadata: { ...object.metadata, labels } };
}

/** Validates the host names of an Indexed Job's Pods: the name of the Job with the Pod's index. */
function validateHostNames({ metadata, spec = {} }: Sent<Job>): FieldErrors {
  const { completionMode, completions = 0 } = spec;
  if (completionMode !== "Indexed" || completions <= 0) return none;
  const { name = "" } = metadata ?? {};
  const longest = `${name}-${completions - 1}`;
  if (dns1123LabelProblems(longest).length === 0) return none;
  const rule = `will not able to create pod with invalid DNS label: ${longest}`;
  return [invalid("metadata.name", name, rule)];
}
