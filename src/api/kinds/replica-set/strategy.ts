import type { ReplicaSet } from "../../generated/apps-v1.ts";
import { pickerDefaults } from "../downscale-pod-picker/picker-defaults.ts";
import { gatePicker } from "../downscale-pod-picker/picker-gate.ts";
import { pickerWarnings } from "../downscale-pod-picker/picker-warnings.ts";
import { validatePicker } from "../downscale-pod-picker/validate-picker.ts";
import { immutable, none, nonNegative } from "../field-checks.ts";
import { fillAbsent, mapMembers, withMember } from "../defaulting.ts";
import type { Kind } from "../kind.ts";
import { templateDefaults } from "../pod-template/template-defaults.ts";
import type { Sent } from "../sent.ts";
import { statusUpdateOf } from "../status-update.ts";
import { nameWarning } from "../workload/name-warning.ts";
import { validateSelectorAndTemplate } from "../workload/selector-and-template.ts";
import { type CountRules, validateStatusCounts } from "../workload/status-counts.ts";
import { gateTerminatingReplicas } from "../workload/terminating-replicas-gate.ts";

// upstream speaks of Deployments here, too
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

/** ReplicaSets, with a pod picker behind its gate. */
export const replicaSetStrategy: Kind<Sent<ReplicaSet>> = {
  defaults(object) {
    return mapMembers(fillAbsent(object, { spec: {} }), {
      spec: (spec) =>
        mapMembers(fillAbsent(spec, { replicas: 1, template: {} }), {
          template: templateDefaults,
          downscalePodPicker: pickerDefaults,
        }),
    });
  },
  prepareForCreate(object, occasion) {
    return mapMembers(withMember(object, "status", undefined), {
      spec: (spec) => gatePicker(spec, undefined, occasion),
    });
  },
  prepareForUpdate({ next, previous }, occasion) {
    return mapMembers(next, { spec: (spec) => gatePicker(spec, previous.spec, occasion) });
  },
  prepareForStatusUpdate(change, occasion) {
    return mapMembers(statusUpdateOf(change), {
      status: (status) => gateTerminatingReplicas(status, change.previous.status, occasion),
    });
  },
  validate({ spec = {} }, occasion, stored) {
    const { downscalePodPicker: picker } = spec;
    return [
      ...nonNegative(spec.replicas, "spec.replicas"),
      ...nonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
      ...validateSelectorAndTemplate({ spec, stored: stored?.spec }, titles, occasion),
      ...(picker === undefined ? none : validatePicker(picker, "spec.downscalePodPicker")),
    ];
  },
  validateUpdate({ next, previous }) {
    return immutable(next.spec?.selector, previous.spec?.selector, "spec.selector");
  },
  validateStatusUpdate({ next }) {
    return validateStatusCounts(next.status ?? {}, counts);
  },
  warnings(object, _occasion, stored) {
    const picker = object.spec?.downscalePodPicker;
    return [...nameWarning(object, stored), ...pickerWarnings(picker, "spec.downscalePodPicker")];
  },
  selectableFields({ status }) {
    return { "status.replicas": String(status?.replicas ?? 0) };
  },
  generation: "spec",
  unconditionalUpdate: true,
};
