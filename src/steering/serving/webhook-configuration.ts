import { namespaceNameLabel } from "../../api/well-known.ts";
import type {
  MatchCondition,
  MutatingWebhook,
  MutatingWebhookConfiguration,
  RuleWithOperations,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
  WebhookClientConfig,
} from "../../api/generated/admissionregistration-v1.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { LabelSelector } from "../../api/generated/meta-v1.ts";
import { keyOf } from "../../api/object.ts";
import { protectionLimitAnnotation } from "../../api/pod-protection.ts";
import type { Resource } from "../../api/resource.ts";
import {
  podReplacementPolicyAnnotation,
  removalOrderAnnotation,
  scaleDownSpreadAnnotation,
} from "../../api/workload-settings.ts";
import { sizeOf as sizeOfReplicaSet } from "../../decisions/rollout/counts.ts";
import { deferredLabel } from "../../decisions/stock/deferred-shrink.ts";
import { wishAnnotations } from "../../decisions/stock/wish.ts";
import type { SteeringConfig } from "../steering-config.ts";
import { unsupportedKinds } from "../unsupported-kinds.ts";
import { paths } from "../webhook-paths.ts";

const admissionRegistration = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  namespaced: false,
} as const;

export const mutatingWebhookConfigurations: Resource<MutatingWebhookConfiguration> = {
  ...admissionRegistration,
  kind: "MutatingWebhookConfiguration",
  plural: "mutatingwebhookconfigurations",
};

export const validatingWebhookConfigurations: Resource<ValidatingWebhookConfiguration> = {
  ...admissionRegistration,
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
};

/** What the webhooks depend on besides the configuration. */
export interface WebhookFacts {
  /** The certificates that the API server trusts, as PEM in base64; absent: another program, such as cert-manager, fills it in. */
  readonly caBundle?: string | undefined;
  /** The ReplicaSets that asked, as `namespace/name`: a Scale says nothing about its object. */
  readonly scaled: readonly string[];
}

/** The webhooks that change objects: sizes of ReplicaSets, constraints of Pods. */
export function mutatingWebhooks(config: SteeringConfig, facts: WebhookFacts): readonly MutatingWebhook[] {
  const webhook = webhookOf(config, facts);
  const sizes = { path: paths.sizes, rules: [replicaSetRule] };
  return [
    webhook("sizes", { ...sizes, conditions: [carriesWish, changesSize] }),
    // A namespace asks for all its workloads: one entry a label, since the labels of a selector all have to match.
    webhook("ordered", {
      ...sizes,
      conditions: [carriesNoWish, changesSize],
      labels: [{ key: removalOrderAnnotation, operator: "Exists" }],
    }),
    webhook("replaced", {
      ...sizes,
      conditions: [carriesNoWish, changesSize],
      labels: [
        { key: podReplacementPolicyAnnotation, operator: "Exists" },
        { key: removalOrderAnnotation, operator: "DoesNotExist" },
      ],
    }),
    webhook("balanced", {
      ...sizes,
      conditions: [carriesNoWish, changesSize],
      labels: [
        { key: scaleDownSpreadAnnotation, operator: "Exists" },
        { key: removalOrderAnnotation, operator: "DoesNotExist" },
        { key: podReplacementPolicyAnnotation, operator: "DoesNotExist" },
      ],
    }),
    ...scaleWebhook(facts, webhook),
    ...config.spread.map(({ namespaceSelector }, index) =>
      webhook(`spread-${index}`, {
        path: paths.pods,
        rules: [ruleFor("", ["pods"], ["CREATE"])],
        conditions: [hasNoConstraints],
        selector: namespaceSelector,
      }),
    ),
  ];
}

/** The webhook that refuses wishes that make no sense. */
export function validatingWebhooks(
  config: SteeringConfig,
  facts: WebhookFacts,
): readonly ValidatingWebhook[] {
  const webhook = webhookOf(config, facts);
  const made = [
    webhook("wishes", {
      path: paths.wishes,
      rules: [ruleFor("apps", [...steeredPlurals, ...unsupportedKinds.keys()], ["CREATE", "UPDATE"])],
      conditions: [carriesWishOrLimit, changesWish],
    }),
    webhook("labels", {
      path: paths.wishes,
      rules: [{ ...ruleFor("", ["namespaces"], ["CREATE", "UPDATE"]), scope: "Cluster" }],
      conditions: [{ name: "has-our-labels", expression: among("object.metadata.labels") }, changesOurLabels],
    }),
  ];
  return made.map(withoutReinvocation);
}

/** Only webhooks that change objects are called again. */
function withoutReinvocation(webhook: MutatingWebhook): ValidatingWebhook {
  const { reinvocationPolicy, ...validating } = webhook;
  return reinvocationPolicy === undefined ? webhook : validating;
}

interface WebhookTraits {
  readonly path: string;
  readonly rules: readonly RuleWithOperations[];
  readonly conditions: readonly MatchCondition[];
  /** What the labels of the namespace have to be. */
  readonly labels?: NonNullable<LabelSelector["matchExpressions"]>;
  readonly selector?: LabelSelector;
}

type MakeWebhook = (name: string, traits: WebhookTraits) => MutatingWebhook;

/** Every member is given, those that the API server would fill in too: so what is stored can be compared. */
function webhookOf(config: SteeringConfig, facts: WebhookFacts): MakeWebhook {
  const elsewhere = { key: namespaceNameLabel, operator: "NotIn", values: config.leftOut };
  return (name, { path, rules, conditions, labels = [], selector = {} }) => ({
    name: `${name}.${config.name}.trimtab.dev`,
    clientConfig: clientConfigOf(config, path, facts),
    rules,
    failurePolicy: "Ignore",
    matchPolicy: "Equivalent",
    namespaceSelector: {
      ...selector,
      matchExpressions: [...(selector.matchExpressions ?? []), ...labels, elsewhere],
    },
    objectSelector: {},
    sideEffects: "NoneOnDryRun",
    // Only the Scale of a ReplicaSet may have something to wait for; for anything else the answer is there at once.
    timeoutSeconds: name === scales ? config.timeoutSeconds : Math.min(config.timeoutSeconds, 3),
    admissionReviewVersions: ["v1"],
    matchConditions: conditions,
    reinvocationPolicy: "IfNeeded",
  });
}

function clientConfigOf(
  { address }: SteeringConfig,
  path: string,
  { caBundle }: WebhookFacts,
): WebhookClientConfig {
  const trusted = caBundle === undefined ? {} : { caBundle };
  if (address.kind === "url") return { url: `${address.url}${path}`, ...trusted };
  const { namespace, name, port } = address;
  return { service: { namespace, name, path, port }, ...trusted };
}

function ruleFor(
  group: string,
  resources: readonly string[],
  operations: readonly string[],
): RuleWithOperations {
  return { operations, apiGroups: [group], apiVersions: ["v1"], resources, scope: "Namespaced" };
}

const scales = "scales";
const steeredPlurals = ["deployments", "replicasets"];

const replicaSetRule = ruleFor("apps", ["replicasets"], ["CREATE", "UPDATE"]);

/**
 * A Scale does not carry the annotations of its ReplicaSet, so the ReplicaSets are named; nor its labels, so one of equal
 * size, which ends a deferral, is sent too.
 */
function scaleWebhook({ scaled }: WebhookFacts, webhook: MakeWebhook): readonly MutatingWebhook[] {
  if (scaled.length === 0) return [];
  const names = scaled.map((name) => `'${name}'`);
  const conditions = [
    { name: "is-steered", expression: `(request.namespace + '/' + request.name) in [${names.join(", ")}]` },
  ];
  const rules = [ruleFor("apps", ["replicasets/scale"], ["UPDATE"])];
  return [webhook(scales, { path: paths.sizes, rules, conditions })];
}

/** The expression has to stay affordable for the API server. */
const mostNames = 1000;

/** The ReplicaSets that are named as `scaled`: all, or as many as may be, of which those that have Pods come first. */
export function namedScales(steered: readonly ReplicaSet[]): readonly string[] {
  const isEmpty = (each: ReplicaSet) => sizeOfReplicaSet(each) === 0;
  const byNeed = [
    ...steered.filter((each) => !isEmpty(each)).toSorted(byKey),
    ...steered.filter(isEmpty).toSorted(byKey),
  ];
  return byNeed.slice(0, mostNames).map(keyOf).toSorted();
}

/** Always the same ones, so that the configuration is not written anew all the time. */
function byKey(one: ReplicaSet, other: ReplicaSet): number {
  return keyOf(one) < keyOf(other) ? -1 : 1;
}

function among(map: string): string {
  const names = wishAnnotations.map((name) => `'${name}' in ${map}`).join(" || ");
  return `has(${map}) && (${names})`;
}

/** Whether one of these names has another value than before: everything else about an object is no concern of ours. */
function changes(map: string, names: readonly string[] = wishAnnotations): string {
  const value = (object: string, name: string) =>
    `(${has(object, map)} && '${name}' in ${object}.${map} ? ${object}.${map}['${name}'] : '')`;
  return names.map((name) => `${value("object", name)} != ${value("oldObject", name)}`).join(" || ");
}

/** A template may be without metadata. */
function has(object: string, map: string): string {
  const parent = map === inTemplate ? `has(${object}.spec.template.metadata) && ` : "";
  return `${parent}has(${object}.${map})`;
}

const wish = `(${among("object.metadata.annotations")}) || (has(object.spec.template.metadata) && ${among("object.spec.template.metadata.annotations")})`;
const inMetadata = "metadata.annotations";
const inTemplate = "spec.template.metadata.annotations";
const changesWish = {
  name: "changes-a-wish",
  expression: `request.operation == 'CREATE' || ${changes(inMetadata, [...wishAnnotations, protectionLimitAnnotation])} || ${changes(inTemplate)}`,
};
const changesOurLabels = {
  name: "changes-our-labels",
  expression: `request.operation == 'CREATE' || ${changes("metadata.labels")}`,
};
const carriesWish = { name: "carries-a-wish", expression: wish };
/** The limit of protection is validated like a wish, and asks for nothing. */
const carriesWishOrLimit = {
  name: "carries-a-wish",
  expression: `(${wish}) || (has(object.metadata.annotations) && '${protectionLimitAnnotation}' in object.metadata.annotations)`,
};
const carriesNoWish = { name: "carries-no-wish", expression: `!(${wish})` };
const changesSize = {
  name: "changes-its-size",
  expression: `request.operation == 'CREATE' ? object.spec.replicas > 0 : object.spec.replicas != oldObject.spec.replicas || (has(oldObject.metadata.labels) && '${deferredLabel}' in oldObject.metadata.labels)`,
};
const hasNoConstraints = {
  name: "has-no-constraints",
  expression:
    "!has(object.spec.topologySpreadConstraints) || size(object.spec.topologySpreadConstraints) == 0",
};
