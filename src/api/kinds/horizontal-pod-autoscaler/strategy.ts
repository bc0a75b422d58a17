import { invalid, required } from "../../field-error.ts";
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerSpec } from "../../generated/autoscaling-v2.ts";
import { pathSegmentProblems } from "../../names.ts";
import { type FieldErrors, none, nonNegative, requiredText } from "../field-checks.ts";
import { fillAbsent, mapMembers, withMember } from "../defaulting.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../sent.ts";

const busyProcessors: NonNullable<Sent<HorizontalPodAutoscalerSpec>["metrics"]> = [
  { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
];

/** The strategy of HorizontalPodAutoscalers of both versions, which are stored, not run. */
export const horizontalPodAutoscalerStrategy: KindStrategy<Sent<HorizontalPodAutoscaler>> = {
  defaults(object) {
    const filled = mapMembers(fillAbsent(object, { spec: {} }), {
      spec: (spec) => fillAbsent(spec, { minReplicas: 1 }),
    });
    // The older version has no list of metrics.
    if (object.apiVersion !== "autoscaling/v2") return filled;
    return mapMembers(filled, {
      spec: (spec) => ((spec.metrics ?? []).length === 0 ? { ...spec, metrics: busyProcessors } : spec),
    });
  },
  prepareForCreate(object) {
    return withMember(object, "status", undefined);
  },
  validate({ spec = {} }) {
    const { scaleTargetRef: target = {} } = spec;
    return [
      ...validateBounds(spec),
      ...requiredText(target.kind, "spec.scaleTargetRef.kind", pathSegmentProblems),
      ...requiredText(target.name, "spec.scaleTargetRef.name", pathSegmentProblems),
    ];
  },
  validateStatusUpdate({ next }) {
    const { currentReplicas, desiredReplicas } = next.status ?? {};
    return [
      ...nonNegative(currentReplicas, "status.currentReplicas"),
      ...nonNegative(desiredReplicas, "status.desiredReplicas"),
    ];
  },
  needsComponent: true,
  unconditionalUpdate: true,
};

function validateBounds({
  minReplicas = 1,
  maxReplicas = 0,
}: Sent<HorizontalPodAutoscalerSpec>): FieldErrors {
  const path = "spec.maxReplicas";
  const atLeast = (bound: string): string => `must be greater than or equal to ${bound}`;
  return [
    ...(minReplicas < 1 ? [invalid("spec.minReplicas", minReplicas, atLeast("1"))] : none),
    ...(maxReplicas === 0 ? [required(path, "must be set and greater than 0")] : none),
    ...(maxReplicas < 0 ? [invalid(path, maxReplicas, atLeast("1"))] : none),
    ...(maxReplicas < minReplicas ? [invalid(path, maxReplicas, atLeast("`minReplicas`"))] : none),
  ];
}
