import { invalid, required } from "../../../../api/field-error.ts";
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerSpec,
} from "../../../../api/generated/autoscaling-v2.ts";
import { each, type FieldErrors, none, nonNegative } from "../../../../api/field-checks.ts";
import { fillAbsent, mapMembers, withMember } from "../../../../api/defaulting.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";
import { validateApiVersion } from "./api-version.ts";
import { validateBehavior, withDefaultRules } from "./scaling-rules.ts";
import { validateMetric, validateReference } from "./validate-metrics.ts";

const busyProcessors: NonNullable<Sent<HorizontalPodAutoscalerSpec>["metrics"]> = [
  { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
];

/** The strategy of HorizontalPodAutoscalers of both versions. */
export const horizontalPodAutoscalerStrategy: KindStrategy<Sent<HorizontalPodAutoscaler>> = {
  defaults(object) {
    const filled = mapMembers(fillAbsent(object, { spec: {} }), {
      spec: (spec) => fillAbsent(spec, { minReplicas: 1 }),
    });
    // The older version has no list of metrics.
    if (object.apiVersion !== "autoscaling/v2") return filled;
    return mapMembers(filled, {
      spec: (spec) =>
        mapMembers((spec.metrics ?? []).length === 0 ? { ...spec, metrics: busyProcessors } : spec, {
          behavior: withDefaultRules,
        }),
    });
  },
  prepareForCreate(object) {
    return withMember(object, "status", undefined);
  },
  validate({ spec = {} }, _context, stored) {
    return [
      ...validateBounds(spec),
      ...validateTargetReference(spec, stored?.spec),
      ...each(spec.metrics, "spec.metrics", validateMetric),
      ...validateBehavior(spec.behavior, "spec.behavior"),
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

/** Validates the target, unless an update keeps its kind and version. */
function validateTargetReference(
  { scaleTargetRef: target = {} }: Sent<HorizontalPodAutoscalerSpec>,
  stored?: Sent<HorizontalPodAutoscalerSpec>,
): FieldErrors {
  const path = "spec.scaleTargetRef";
  const { kind, apiVersion = "" } = target;
  const before = stored?.scaleTargetRef;
  const isKept = before !== undefined && before.kind === kind && (before.apiVersion ?? "") === apiVersion;
  // The only scalable kind of the core group.
  const allowsCore = kind === "ReplicationController";
  return [
    ...validateReference(target, path),
    ...(isKept ? none : validateApiVersion(apiVersion, `${path}.apiVersion`, { allowsCore })),
  ];
}
