import type { Job } from "../../generated/batch-v1.ts";
import { immutable } from "../field-checks.ts";
import { fillAbsent, mapMembers, withMember } from "../defaulting.ts";
import type { Kind } from "../kind.ts";
import type { Sent } from "../sent.ts";
import { jobSpecDefaults } from "./job-defaults.ts";
import { validateJobSpec } from "./validate-job.ts";

/** Jobs are stored, not run. */
export const jobStrategy: Kind<Sent<Job>> = {
  defaults(object) {
    return withLabelsOfTemplate(mapMembers(fillAbsent(object, { spec: {} }), { spec: jobSpecDefaults }));
  },
  prepareForCreate(object) {
    return withMember(object, "status", undefined);
  },
  validate({ spec = {} }, occasion, stored) {
    return validateJobSpec({ spec, stored: stored?.spec }, "spec", occasion);
  },
  validateUpdate({ next, previous }) {
    return [
      ...immutable(next.spec?.selector, previous.spec?.selector, "spec.selector"),
      ...immutable(next.spec?.completionMode, previous.spec?.completionMode, "spec.completionMode"),
    ];
  },
  selectableFields({ status }) {
    return { "status.successful": String(status?.succeeded ?? 0) };
  },
  generation: "spec",
  unconditionalUpdate: true,
};

function withLabelsOfTemplate(object: Sent<Job>): Sent<Job> {
  const labels = object.spec?.template?.metadata?.labels;
  const own = object.metadata?.labels ?? {};
  if (labels === undefined || Object.keys(own).length > 0) return object;
  return { ...object, metadata: { ...object.metadata, labels } };
}
