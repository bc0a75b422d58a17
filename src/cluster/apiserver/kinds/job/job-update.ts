import { invalid } from "../../../../api/field-error.ts";
import type { Job, JobSpec } from "../../../../api/generated/batch-v1.ts";
import type { Container, PodTemplateSpec } from "../../../../api/generated/core-v1.ts";
import { equalField, semanticEqual } from "../../../../api/schema/semantic-equality.ts";
import { mapMembers, withMember } from "../../../../api/defaulting.ts";
import { type FieldErrors, immutable, immutableField, none } from "../../../../api/field-checks.ts";
import { immutableSelector } from "../immutable-selector.ts";
import type { ObjectUpdate } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";

/** Validates that an update does not change the immutable fields of a Job. */
export function validateJobUpdate(update: ObjectUpdate<Sent<Job>>): FieldErrors {
  const { next, previous } = update;
  const { spec = {} } = next;
  const { spec: stored = {} } = previous;
  const policies = ["podFailurePolicy", "successPolicy"] as const;
  return [
    ...validateCompletions(spec, stored),
    ...immutableSelector(update),
    ...validateTemplateUpdate(update),
    ...immutable(spec.completionMode, stored.completionMode, "spec.completionMode"),
    ...policies
      .filter((policy) => !equalField("batch.v1.JobSpec", [spec, stored], policy))
      .map((policy) => immutableField(`spec.${policy}`, spec[policy])),
    ...immutable(spec.backoffLimitPerIndex, stored.backoffLimitPerIndex, "spec.backoffLimitPerIndex"),
    ...immutable(spec.managedBy, stored.managedBy, "spec.managedBy"),
  ];
}

/** Validates that the completions of an Indexed Job change only together with its parallelism. */
function validateCompletions(spec: Sent<JobSpec>, stored: Sent<JobSpec>): FieldErrors {
  const { completions, parallelism } = spec;
  if (completions === stored.completions) return none;
  if (spec.completionMode !== "Indexed") return [immutableField("spec.completions", completions)];
  if (completions === undefined || completions === parallelism) return none;
  return [invalid("spec.completions", completions, "can only be modified in tandem with spec.parallelism")];
}

/** Validates the template: node placement and resources may change while a Job is suspended and has no Pods. */
function validateTemplateUpdate({ next, previous }: ObjectUpdate<Sent<Job>>): FieldErrors {
  const template = next.spec?.template ?? {};
  const stored = previous.spec?.template ?? {};
  const fixed = isTemplateOpen(previous) ? withoutOpenFields : (whole: Sent<PodTemplateSpec>) => whole;
  return semanticEqual("core.v1.PodTemplateSpec", fixed(template), fixed(stored))
    ? none
    : [immutableField("spec.template", template)];
}

function isTemplateOpen({ spec, status = {} }: Sent<Job>): boolean {
  const { startTime, conditions = [], active = 0 } = status;
  const isSuspended = conditions.some(
    (condition) => condition.type === "Suspended" && condition.status === "True",
  );
  return spec?.suspend === true && (startTime === undefined || isSuspended) && active === 0;
}

function withoutOpenFields({ metadata = {}, spec = {} }: Sent<PodTemplateSpec>): Sent<PodTemplateSpec> {
  const { labels: _labels, annotations: _annotations, ...fixedMetadata } = metadata;
  const { nodeSelector: _selector, tolerations: _tolerations, schedulingGates: _gates, ...fixedSpec } = spec;
  const { nodeAffinity: _affinity, ...affinity } = spec.affinity ?? {};
  const hasAffinity = Object.keys(affinity).length > 0;
  const containers = mapMembers(fixedSpec, {
    containers: withoutResources,
    initContainers: withoutResources,
  });
  return {
    metadata: fixedMetadata,
    spec: withMember(containers, "affinity", hasAffinity ? affinity : undefined),
  };
}

function withoutResources(containers: readonly Sent<Container>[]): readonly Sent<Container>[] {
  return containers.map((container) => withMember(container, "resources", undefined));
}
