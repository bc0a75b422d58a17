import { forbidden, invalid } from "../../../../api/field-error.ts";
import type {
  RollingUpdateStatefulSetStrategy,
  StatefulSet,
  StatefulSetSpec,
  StatefulSetUpdateStrategy,
} from "../../../../api/generated/apps-v1.ts";
import type { PersistentVolumeClaim } from "../../../../api/generated/core-v1.ts";
import { dns1123LabelProblems } from "../../../../api/names.ts";
import { eachItem, fillAbsent, fillEmpty, mapMembers, withMember } from "../../../../api/defaulting.ts";
import {
  type FieldErrors,
  none,
  nonNegative,
  requiredText,
  supported,
  wellFormed,
} from "../../../../api/field-checks.ts";
import type { IntOrString } from "../../../../api/int-or-string.ts";
import { validateClaimSpec } from "../persistent-volume-claim/strategy.ts";
import { amountOf, atMostAll, countOrPercent } from "../workload/count-or-percent.ts";
import type { KindStrategy, ObjectUpdate, StrategyContext } from "../kind-strategy.ts";
import { semanticEqual } from "../../../../api/schema/semantic-equality.ts";
import { claimWarnings } from "../pod-spec/volume-warnings.ts";
import type { Sent } from "../../../../api/sent.ts";
import { templateDefaults, templateWarnings } from "../workload/pod-template.ts";
import { validateSelectorAndTemplate } from "../workload/selector-and-template.ts";
import { type CountRules, validateCollisionCount, validateStatusCounts } from "../workload/status-counts.ts";

const titles = { selector: "statefulset", template: "StatefulSet" };

const counts: CountRules = {
  counts: [
    "replicas",
    "readyReplicas",
    "currentReplicas",
    "updatedReplicas",
    "availableReplicas",
    "observedGeneration",
    "collisionCount",
  ],
  atMostReplicas: ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
};

/** The strategy of StatefulSets; `maxUnavailable` is behind a feature gate. */
export const statefulSetStrategy: KindStrategy<Sent<StatefulSet>> = {
  nameProblems: dns1123LabelProblems,
  defaults(object) {
    return mapMembers(fillAbsent(object, { spec: {} }), { spec: specDefaults });
  },
  prepareForCreate(object, context) {
    return gateMaxUnavailable(withMember(object, "status", undefined), undefined, context);
  },
  prepareForUpdate: ({ next, previous }, context) => gateMaxUnavailable(next, previous, context),
  validate({ spec = {} }, context, stored) {
    const withClaims = { ...spec, template: templateWithClaims(spec) };
    return [
      ...nonNegative(spec.replicas, "spec.replicas"),
      ...nonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
      ...nonNegative(spec.ordinals?.start, "spec.ordinals.start"),
      ...validatePolicies(spec),
      ...validateRetention(spec),
      ...(stored === undefined ? validateIdentity(spec) : none),
      ...validateSelectorAndTemplate({ spec: withClaims, stored: stored?.spec }, titles, context),
    ];
  },
  validateUpdate: validateFixed,
  validateStatusUpdate(update) {
    return [...validateStatusCounts(update.next.status ?? {}, counts), ...validateCollisionCount(update)];
  },
  warnings(object, _context, stored) {
    const { volumeClaimTemplates = [], revisionHistoryLimit = 0 } = object.spec ?? {};
    return [
      ...templateWarnings(object, stored),
      ...volumeClaimTemplates.flatMap(({ spec = {} }, index) =>
        claimWarnings(spec, `spec.volumeClaimTemplates[${index}]`),
      ),
      ...(revisionHistoryLimit < 0 ? [`spec.revisionHistoryLimit: ${negativeLimit}`] : []),
    ];
  },
  needsComponent: true,
  generation: "spec",
  unconditionalUpdate: true,
};

const negativeLimit = "a negative value retains all historical revisions; a value >= 0 is recommended";

function specDefaults(spec: Sent<StatefulSetSpec>): Sent<StatefulSetSpec> {
  const filled = fillAbsent(fillEmpty(spec, { podManagementPolicy: "OrderedReady" }), {
    replicas: 1,
    revisionHistoryLimit: 10,
    updateStrategy: {},
    persistentVolumeClaimRetentionPolicy: {},
    template: {},
  });
  return mapMembers(filled, {
    updateStrategy: strategyDefaults,
    persistentVolumeClaimRetentionPolicy: (policy) =>
      fillEmpty(policy, { whenDeleted: "Retain", whenScaled: "Retain" }),
    template: templateDefaults,
    volumeClaimTemplates: eachItem(claimDefaults),
  });
}

function strategyDefaults(strategy: Sent<StatefulSetUpdateStrategy>): Sent<StatefulSetUpdateStrategy> {
  const isUnset = (strategy.type ?? "") === "";
  const filled = isUnset
    ? fillAbsent({ ...strategy, type: "RollingUpdate" }, { rollingUpdate: {} })
    : strategy;
  if (filled.type !== "RollingUpdate") return filled;
  return mapMembers(filled, { rollingUpdate: (update) => fillAbsent(update, { partition: 0 }) });
}

/** Gives claim templates the defaults of PersistentVolumeClaims. */
function claimDefaults(claim: Sent<PersistentVolumeClaim>): Sent<PersistentVolumeClaim> {
  const filled = fillEmpty(claim, { apiVersion: "v1", kind: "PersistentVolumeClaim" });
  return mapMembers(fillAbsent(filled, { status: {} }), {
    spec: (spec) => fillAbsent(spec, { volumeMode: "Filesystem" }),
    status: (status) => fillEmpty(status, { phase: "Pending" }),
  });
}

/** Returns the template with a volume for each claim, so that containers may mount them. */
function templateWithClaims({
  template = {},
  volumeClaimTemplates = [],
}: Sent<StatefulSetSpec>): NonNullable<Sent<StatefulSetSpec>["template"]> {
  const claims = new Set(volumeClaimTemplates.map(({ metadata }) => metadata?.name ?? ""));
  const volumes = template.spec?.volumes?.filter(({ name = "" }) => !claims.has(name)) ?? [];
  const claimed = [...claims].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return claims.size === 0
    ? template
    : { ...template, spec: { ...template.spec, volumes: [...claimed, ...volumes] } };
}

function validatePolicies({ podManagementPolicy, updateStrategy = {} }: Sent<StatefulSetSpec>): FieldErrors {
  const { type, rollingUpdate } = updateStrategy;
  const strategies = (text: string): readonly string[] =>
    text === "RollingUpdate" || text === "OnDelete" ? [] : ["must be 'RollingUpdate' or 'OnDelete'"];
  const policies = (text: string): readonly string[] =>
    text === "OrderedReady" || text === "Parallel" ? [] : ["must be 'OrderedReady' or 'Parallel'"];
  const stray = type === "OnDelete" && rollingUpdate !== undefined;
  const rule = "only allowed for updateStrategy 'RollingUpdate'";
  return [
    ...requiredText(podManagementPolicy, "spec.podManagementPolicy", policies),
    ...requiredText(type, "spec.updateStrategy", strategies),
    ...(stray ? [invalid("spec.updateStrategy.rollingUpdate", rollingUpdate, rule)] : none),
    ...nonNegative(rollingUpdate?.partition, "spec.updateStrategy.rollingUpdate.partition"),
    ...validateMaxUnavailable(rollingUpdate?.maxUnavailable),
  ];
}

function validateMaxUnavailable(value: IntOrString | undefined): FieldErrors {
  if (value === undefined) return none;
  const at = "spec.updateStrategy.rollingUpdate.maxUnavailable";
  return [
    ...countOrPercent(value, at),
    ...(amountOf(value) === 0 ? [invalid(at, value, "cannot be 0")] : none),
    ...atMostAll(value, at),
  ];
}

const retentions = ["Delete", "Retain"];

function validateRetention({
  persistentVolumeClaimRetentionPolicy: policy,
}: Sent<StatefulSetSpec>): FieldErrors {
  const at = "spec.persistentVolumeClaimRetentionPolicy";
  return [
    ...supported(policy?.whenDeleted, `${at}.whenDeleted`, retentions),
    ...supported(policy?.whenScaled, `${at}.whenScaled`, retentions),
  ];
}

/** Validates what never changes; stored sets may have been created under other rules. */
function validateIdentity({ serviceName, volumeClaimTemplates = [] }: Sent<StatefulSetSpec>): FieldErrors {
  return [
    ...wellFormed(serviceName, "spec.serviceName", dns1123LabelProblems),
    ...volumeClaimTemplates.flatMap(({ spec = {} }, index) =>
      validateClaimSpec(spec, `spec.volumeClaimTemplates[${index}].spec`),
    ),
  ];
}

/** Drops `maxUnavailable` while the gate is off, unless the stored set has it already; else it is 1 by default. */
function gateMaxUnavailable(
  object: Sent<StatefulSet>,
  stored: Sent<StatefulSet> | undefined,
  { gates }: StrategyContext,
): Sent<StatefulSet> {
  const isKept = stored?.spec?.updateStrategy?.rollingUpdate?.maxUnavailable !== undefined;
  const gated = (update: Sent<RollingUpdateStatefulSetStrategy>) => {
    if (gates.MaxUnavailableStatefulSet) return fillAbsent(update, { maxUnavailable: 1 });
    return isKept ? update : withMember(update, "maxUnavailable", undefined);
  };
  return mapMembers(object, {
    spec: (spec) =>
      mapMembers(spec, { updateStrategy: (strategy) => mapMembers(strategy, { rollingUpdate: gated }) }),
  });
}

const changeable = [
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
] as const;

function validateFixed({ next, previous }: ObjectUpdate<Sent<StatefulSet>>): FieldErrors {
  const before = previous.spec ?? {};
  let rest = next.spec ?? {};
  for (const member of changeable) rest = withMember(rest, member, before[member]);
  if (semanticEqual("apps.v1.StatefulSetSpec", rest, before)) return none;
  const listed = changeable.map((member) => `'${member}'`);
  const names = `${listed.slice(0, -1).join(", ")} and ${listed.at(-1)}`;
  return [forbidden("spec", `updates to statefulset spec for fields other than ${names} are forbidden`)];
}
