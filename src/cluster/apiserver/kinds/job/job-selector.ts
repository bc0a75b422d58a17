import { invalid, required } from "../../../../api/field-error.ts";
import type { Job } from "../../../../api/generated/batch-v1.ts";
import { controllerUidLabel, controllerUidLabels, jobNameLabels } from "../../../../api/job-state.ts";
import { compileLabelSelector } from "../../../../api/labels/compile-label-selector.ts";
import { matchesLabels } from "../../../../api/labels/label-selector.ts";
import { type FieldErrors, none } from "../../../../api/field-checks.ts";
import { completeSelector, validateSelector } from "../../../../api/labels/validate-selector.ts";
import type { Sent } from "../../../../api/sent.ts";
import { validateSelection } from "../workload/selector-and-template.ts";

/**
 * Selects a Job's Pods by the UID of the Job, and labels its template with UID and name. Existing labels stay;
 * validation refuses wrong ones.
 */
// upstream: generateSelector
export function withGeneratedSelector(job: Sent<Job>): Sent<Job> {
  const { spec = {} } = job;
  if (spec.manualSelector === true) return job;
  const { template = {}, selector = {} } = spec;
  const { metadata = {} } = template;
  const uid = job.metadata?.uid ?? "";
  return {
    ...job,
    spec: {
      ...spec,
      selector: { ...selector, matchLabels: { [controllerUidLabel]: uid, ...selector.matchLabels } },
      template: {
        ...template,
        metadata: { ...metadata, labels: { ...generatedLabels(job), ...metadata.labels } },
      },
    },
  };
}

function generatedLabels({ metadata }: Sent<Job>): Readonly<Record<string, string>> {
  const { name = "", uid = "" } = metadata ?? {};
  return Object.fromEntries([
    ...jobNameLabels.map((label) => [label, name] as const),
    ...controllerUidLabels.map((label) => [label, uid] as const),
  ]);
}

/** Validates that a Job's selector matches its template, and is the generated one unless it is manual. */
export function validateJobSelector(job: Sent<Job>): FieldErrors {
  const { selector, template = {}, manualSelector } = job.spec ?? {};
  if (selector === undefined) return [required("spec.selector")];
  const compiled = compileLabelSelector(completeSelector(selector));
  if (!compiled.ok) return validateSelector(selector, "spec.selector");
  return [
    ...(manualSelector === true ? none : validateGeneratedLabels(job)),
    ...(manualSelector === true || matchesLabels(compiled.selection, generatedLabels(job))
      ? none
      : [invalid("spec.selector", selector, "`selector` not auto-generated")]),
    ...validateSelector(selector, "spec.selector"),
    ...validateSelection(compiled.selection, template),
  ];
}

function validateGeneratedLabels(job: Sent<Job>): FieldErrors {
  const labels = job.spec?.template?.metadata?.labels ?? {};
  return Object.entries(generatedLabels(job)).flatMap(([label, value]) => {
    const path = `spec.template.metadata.labels[${label}]`;
    const rule = `must be '${value}'`;
    if (!Object.hasOwn(labels, label)) return [required(path, rule)];
    return labels[label] === value ? none : [invalid(path, labels, rule)];
  });
}
