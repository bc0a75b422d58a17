import { forbidden, invalid, notSupported, required } from "../../../../api/field-error.ts";
import type { PodTemplateSpec } from "../../../../api/generated/core-v1.ts";
import type { LabelSelector } from "../../../../api/generated/meta-v1.ts";
import { compileLabelSelector } from "../../../../api/labels/compile-label-selector.ts";
import { type LabelSelection, matchesLabels } from "../../../../api/labels/label-selector.ts";
import { dns1123LabelProblems } from "../../../../api/names.ts";
import { type FieldErrors, none } from "../../../../api/field-checks.ts";
import type { StrategyContext } from "../kind-strategy.ts";
import {
  completeSelector,
  isEmptySelector,
  validateSelector,
} from "../../../../api/labels/validate-selector.ts";
import type { Sent } from "../../../../api/sent.ts";
import { validateTemplate } from "./pod-template.ts";

/** The names of a kind of workload in Kubernetes' validation errors. */
interface WorkloadNames {
  /** In `empty selector is invalid for …`. */
  readonly selector: string;
  /** In `activeDeadlineSeconds in … is not Supported`. */
  readonly template: string;
}

interface WorkloadSpec {
  readonly selector?: Sent<LabelSelector>;
  readonly template?: Sent<PodTemplateSpec>;
}

/** A workload's spec, and the one it replaces. */
interface WorkloadSpecs {
  readonly spec: WorkloadSpec;
  readonly stored: WorkloadSpec | undefined;
}

/** Validates selector and template of a workload: the selector is not empty and matches the template's labels. */
export function validateSelectorAndTemplate(
  { spec, stored }: WorkloadSpecs,
  names: WorkloadNames,
  context: StrategyContext,
): FieldErrors {
  const { selector, template = {} } = spec;
  const compiled = compileLabelSelector(selector && completeSelector(selector));
  if (!compiled.ok)
    return [
      ...validateSelector(selector, "spec.selector"),
      invalid("spec.selector", selector, "invalid label selector"),
    ];
  return [
    ...validatePresence(selector, names.selector),
    ...validateSelection(compiled.selection, template),
    ...validateTemplate({ template, stored: stored?.template }, "spec.template", context),
    ...validateLongRunning(template, names.template),
  ];
}

function validatePresence(selector: Sent<LabelSelector> | undefined, title: string): FieldErrors {
  if (selector === undefined) return [required("spec.selector")];
  if (!isEmptySelector(selector)) return none;
  return [invalid("spec.selector", selector, `empty selector is invalid for ${title}`)];
}

/** Validates that a workload's selector matches the labels of its template. */
export function validateSelection(
  selection: LabelSelection,
  { metadata }: Sent<PodTemplateSpec>,
): FieldErrors {
  const labels = metadata?.labels;
  if (matchesLabels(selection, labels)) return none;
  const rule = "`selector` does not match template `labels`";
  return [invalid("spec.template.metadata.labels", labels ?? null, rule)];
}

/** Validates that the Pods of a template run until they are deleted. */
export function validateLongRunning({ spec = {} }: Sent<PodTemplateSpec>, title: string): FieldErrors {
  const { restartPolicy, activeDeadlineSeconds } = spec;
  const at = "spec.template.spec";
  const rule = `activeDeadlineSeconds in ${title} is not Supported`;
  return [
    ...(restartPolicy === "Always"
      ? none
      : [notSupported(`${at}.restartPolicy`, restartPolicy ?? "", ["Always"])]),
    ...(activeDeadlineSeconds === undefined ? none : [forbidden(`${at}.activeDeadlineSeconds`, rule)]),
  ];
}

interface Named {
  readonly metadata?: { readonly name?: string };
}

/** Warns, at creation, of a name that is not a valid host name for its Pods. */
export function nameWarning(object: Named, stored: Named | undefined): readonly string[] {
  const problems = stored === undefined ? dns1123LabelProblems(object.metadata?.name ?? "") : [];
  if (problems.length === 0) return [];
  const effect = "this is used in Pod names and hostnames, which can result in surprising behavior";
  return [`metadata.name: ${effect}; a DNS label is recommended: [${problems.join(" ")}]`];
}
