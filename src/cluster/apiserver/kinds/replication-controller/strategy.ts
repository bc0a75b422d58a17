import { required } from "../../../../api/field-error.ts";
import type {
  PodTemplateSpec,
  ReplicationController,
  ReplicationControllerSpec,
} from "../../../../api/generated/core-v1.ts";
import { compileLabelMap } from "../../../../api/labels/compile-label-selector.ts";
import { fillAbsent, mapMembers, withMember } from "../../../../api/defaulting.ts";
import { type FieldErrors, none, nonNegative } from "../../../../api/field-checks.ts";
import type { KindStrategy, StrategyContext } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";
import { templateDefaults, templateWarnings, validateTemplate } from "../workload/pod-template.ts";
import { nameWarning, validateLongRunning, validateSelection } from "../workload/selector-and-template.ts";
import { type CountRules, validateStatusCounts } from "../workload/status-counts.ts";

const counts: CountRules = {
  counts: ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration"],
  atMostReplicas: ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
};

/** The strategy of ReplicationControllers. */
export const replicationControllerStrategy: KindStrategy<Sent<ReplicationController>> = {
  defaults(object) {
    const filled = mapMembers(fillAbsent(object, { spec: {} }), {
      spec: (spec) => mapMembers(fillAbsent(spec, { replicas: 1 }), { template: templateDefaults }),
    });
    return withLabelsOfTemplate(filled);
  },
  prepareForCreate(object) {
    return withMember(object, "status", undefined);
  },
  validate({ spec = {} }, context, stored) {
    return [
      ...nonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
      ...(isEmpty(spec.selector) ? [required("spec.selector")] : none),
      ...nonNegative(spec.replicas, "spec.replicas"),
      ...validateOwnTemplate(spec, context, stored?.spec?.template),
    ];
  },
  validateStatusUpdate({ next }) {
    return validateStatusCounts(next.status ?? {}, counts);
  },
  warnings(object, _context, stored) {
    return [...nameWarning(object, stored), ...templateWarnings(object, stored)];
  },
  selectableFields({ status }) {
    return { "status.replicas": String(status?.replicas ?? 0) };
  },
  needsComponent: true,
  generation: "spec",
  orphansByDefault: true,
  unconditionalUpdate: true,
};

function isEmpty(labels: Readonly<Record<string, string>> | undefined): boolean {
  return Object.keys(labels ?? {}).length === 0;
}

/** Gives a ReplicationController without selector or labels those of its template. */
function withLabelsOfTemplate(object: Sent<ReplicationController>): Sent<ReplicationController> {
  const { metadata, spec = {} } = object;
  const labels = spec.template?.metadata?.labels;
  if (labels === undefined || isEmpty(labels)) return object;
  const selecting = isEmpty(spec.selector) ? { ...object, spec: { ...spec, selector: labels } } : object;
  return isEmpty(metadata?.labels) ? { ...selecting, metadata: { ...metadata, labels } } : selecting;
}

function validateOwnTemplate(
  { selector, template }: Sent<ReplicationControllerSpec>,
  context: StrategyContext,
  stored: Sent<PodTemplateSpec> | undefined,
): FieldErrors {
  if (template === undefined) return [required("spec.template")];
  return [
    ...(isEmpty(selector) ? none : validateSelection(compileLabelMap(selector), template)),
    ...validateTemplate({ template, stored }, "spec.template", context),
    ...validateLongRunning(template, "ReplicationController"),
  ];
}
