import type { ReplicaSet } from "../../../../api/generated/apps-v1.ts";
import { fillAbsent, mapMembers, withMember } from "../../../../api/defaulting.ts";
import { gatePicker, pickerDefaults } from "../../../../api/pod-picker/pod-picker.ts";
import { validatePicker } from "../../../../api/pod-picker/validate-picker.ts";
import { none, nonNegative } from "../../../../api/field-checks.ts";
import { type KindStrategy, statusUpdateOf } from "../kind-strategy.ts";
import { immutableSelector } from "../immutable-selector.ts";
import type { Sent } from "../../../../api/sent.ts";
import { templateDefaults } from "../workload/pod-template.ts";
import { validateSelectorAndTemplate } from "../workload/selector-and-template.ts";
import { type CountRules, gateTerminatingReplicas, validateStatusCounts } from "../workload/status-counts.ts";
import { pickedWorkloadWarnings } from "../workload/workload-warnings.ts";

// upstream's messages name Deployments here, too
const titles = { selector: "deployment", template: "ReplicaSet" };

const counts: CountRules = {
  counts: [
    "replicas",
    "fullyLabeledReplicas",
    "readyReplicas",
    "availableReplicas",
    "observedGeneration",
    "terminatingReplicas",
  ],
  atMostReplicas: ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
};

/** The strategy of ReplicaSets; the pod picker is behind a feature gate. */
export const replicaSetStrategy: KindStrategy<Sent<ReplicaSet>> = {
  defaults(object) {
    return mapMembers(fillAbsent(object, { spec: {} }), {
      spec: (spec) =>
        mapMembers(fillAbsent(spec, { replicas: 1, template: {} }), {
          template: templateDefaults,
          downscalePodPicker: pickerDefaults,
        }),
    });
  },
  prepareForCreate(object, context) {
    return mapMembers(withMember(object, "status", undefined), {
      spec: (spec) => gatePicker(spec, undefined, context),
    });
  },
  prepareForUpdate({ next, previous }, context) {
    return mapMembers(next, { spec: (spec) => gatePicker(spec, previous.spec, context) });
  },
  prepareForStatusUpdate(update, context) {
    return mapMembers(statusUpdateOf(update), {
      status: (status) => gateTerminatingReplicas(status, update.previous.status, context),
    });
  },
  validate({ spec = {} }, context, stored) {
    const { downscalePodPicker: picker } = spec;
    return [
      ...nonNegative(spec.replicas, "spec.replicas"),
      ...nonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
      ...validateSelectorAndTemplate({ spec, stored: stored?.spec }, titles, context),
      ...(picker === undefined ? none : validatePicker(picker, "spec.downscalePodPicker")),
    ];
  },
  validateUpdate: immutableSelector,
  validateStatusUpdate({ next }) {
    return validateStatusCounts(next.status ?? {}, counts);
  },
  warnings: (object, _context, stored) => pickedWorkloadWarnings(object, stored),
  needsComponent: true,
  generation: "spec",
  unconditionalUpdate: true,
};
