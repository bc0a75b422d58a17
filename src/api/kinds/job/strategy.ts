import type { Job } from "../../generated/batch-v1.ts";
import { fillAbsent, mapMembers, withMember } from "../defaulting.ts";
import { immutable } from "../field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { immutableSelector } from "../immutable-selector.ts";
import type { Sent } from "../sent.ts";
import { jobSpecDefaults, validateJobSpec } from "./job-spec.ts";

/** The strategy of Jobs, which are stored, not run. */
export const jobStrategy: KindStrategy<Sent<Job>> = {
  defaults(object) {
    return withLabelsOfTemplate(mapMembers(fillAbsent(object, { spec: {} }), { spec: jobSpecDefaults }));
  },
  prepareForCreate(object) {
    return withMember(object, "status", undefined);
  },
  validate({ spec = {} }, context, stored) {
    return validateJobSpec({ spec, stored: stored?.spec }, "spec", context);
  },
  validateUpdate(update) {
    const { next, previous } = update;
    return [
      ...immutableSelector(update),
      ...immutable(next.spec?.completionMode, previous.spec?.completionMode, "spec.completionMode"),
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
