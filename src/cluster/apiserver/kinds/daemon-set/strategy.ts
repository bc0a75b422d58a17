import { invalid, notSupported, required } from "../../../../api/field-error.ts";
import type {
  DaemonSet,
  DaemonSetUpdateStrategy,
  RollingUpdateDaemonSet,
} from "../../../../api/generated/apps-v1.ts";
import { type FieldErrors, none, nonNegative } from "../../../../api/field-checks.ts";
import { fillAbsent, fillEmpty, mapMembers, withMember } from "../../../../api/defaulting.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { immutableSelector } from "../immutable-selector.ts";
import { templateDefaults, templateWarnings } from "../workload/pod-template.ts";
import type { Sent } from "../../../../api/sent.ts";
import { amountOf, atMostAll, countOrPercent } from "../workload/count-or-percent.ts";
import { validateSelectorAndTemplate } from "../workload/selector-and-template.ts";
import { type CountRules, validateCollisionCount, validateStatusCounts } from "../workload/status-counts.ts";

const titles = { selector: "daemonset", template: "DaemonSet" };

const counts: CountRules = {
  counts: [
    "currentNumberScheduled",
    "numberMisscheduled",
    "desiredNumberScheduled",
    "numberReady",
    "observedGeneration",
    "updatedNumberScheduled",
    "numberAvailable",
    "numberUnavailable",
    "collisionCount",
  ],
  atMostReplicas: [],
};

/** The strategy of DaemonSets. */
export const daemonSetStrategy: KindStrategy<Sent<DaemonSet>> = {
  defaults(object) {
    return mapMembers(fillAbsent(object, { spec: {} }), {
      spec: (spec) =>
        mapMembers(fillAbsent(spec, { revisionHistoryLimit: 10, updateStrategy: {}, template: {} }), {
          updateStrategy: strategyDefaults,
          template: templateDefaults,
        }),
    });
  },
  prepareForCreate(object) {
    return withMember(object, "status", undefined);
  },
  validate({ spec = {} }, context, stored) {
    return [
      ...validateSelectorAndTemplate({ spec, stored: stored?.spec }, titles, context),
      ...nonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
      ...validateStrategy(spec.updateStrategy ?? {}, "spec.updateStrategy"),
      ...nonNegative(spec.revisionHistoryLimit, "spec.revisionHistoryLimit"),
    ];
  },
  validateUpdate: immutableSelector,
  validateStatusUpdate(update) {
    return [...validateStatusCounts(update.next.status ?? {}, counts), ...validateCollisionCount(update)];
  },
  warnings(object, _context, stored) {
    return templateWarnings(object, stored);
  },
  needsComponent: true,
  generation: "spec",
  unconditionalUpdate: true,
};

function strategyDefaults(strategy: Sent<DaemonSetUpdateStrategy>): Sent<DaemonSetUpdateStrategy> {
  const filled = fillEmpty(strategy, { type: "RollingUpdate" });
  if (filled.type !== "RollingUpdate") return filled;
  return mapMembers(fillAbsent(filled, { rollingUpdate: {} }), {
    rollingUpdate: (update) => fillAbsent(update, { maxUnavailable: 1, maxSurge: 0 }),
  });
}

function validateStrategy(strategy: Sent<DaemonSetUpdateStrategy>, path: string): FieldErrors {
  const { type, rollingUpdate } = strategy;
  if (type === "OnDelete") return none;
  if (type !== "RollingUpdate") return [notSupported(path, strategy, ["RollingUpdate", "OnDelete"])];
  const at = `${path}.rollingUpdate`;
  return rollingUpdate === undefined ? [required(at)] : validateBudgets(rollingUpdate, at);
}

function validateBudgets(
  { maxUnavailable = 0, maxSurge = 0 }: Sent<RollingUpdateDaemonSet>,
  path: string,
): FieldErrors {
  const errors = [
    ...countOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...countOrPercent(maxSurge, `${path}.maxSurge`),
    ...atMostAll(maxUnavailable, `${path}.maxUnavailable`),
    ...atMostAll(maxSurge, `${path}.maxSurge`),
  ];
  const isDown = amountOf(maxUnavailable) !== 0;
  const isUp = amountOf(maxSurge) !== 0;
  if (isDown && isUp)
    return [
      ...errors,
      invalid(`${path}.maxSurge`, maxSurge, "may not be set when maxUnavailable is non-zero"),
    ];
  return isDown || isUp
    ? errors
    : [...errors, required(`${path}.maxUnavailable`, "cannot be 0 when maxSurge is 0")];
}
