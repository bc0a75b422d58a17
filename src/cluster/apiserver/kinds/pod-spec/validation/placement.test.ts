import { expect, test } from "vitest";
import { keyCharacters, problemsOfSpec, type SpecCase, valueCharacters } from "./pod-spec-fixture.cases.ts";

const spread = { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", labelSelector: {} };
const spreadAt = "spec.topologySpreadConstraints[0]";
const nodeAt = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
const podAt = "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]";

const nodeTerm = (expression: { key?: string; operator?: string; values?: string[] }): SpecCase["spec"] => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: "disk", ...expression }] }],
      },
    },
  },
});
type PodTerm = NonNullable<
  NonNullable<
    NonNullable<SpecCase["spec"]["affinity"]>["podAffinity"]
  >["requiredDuringSchedulingIgnoredDuringExecution"]
>[0];
const podTerm = (term: PodTerm): SpecCase["spec"] => ({
  affinity: {
    podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "zone", ...term }] },
  },
});

const cases: readonly SpecCase[] = [
  { name: "a spread", spec: { topologySpreadConstraints: [spread] }, want: [] },
  {
    name: "no skew",
    spec: { topologySpreadConstraints: [{ ...spread, maxSkew: 0 }] },
    want: [`${spreadAt}.maxSkew: Invalid value: 0: must be greater than zero`],
  },
  {
    name: "no topology",
    spec: { topologySpreadConstraints: [{ ...spread, topologyKey: "" }] },
    want: [`${spreadAt}.topologyKey: Required value: can not be empty`],
  },
  {
    name: "an unknown way out",
    spec: { topologySpreadConstraints: [{ ...spread, whenUnsatisfiable: "Wait" }] },
    want: [
      `${spreadAt}.whenUnsatisfiable: Unsupported value: "Wait": supported values: "DoNotSchedule", "ScheduleAnyway"`,
    ],
  },
  {
    name: "the same spread twice",
    spec: { topologySpreadConstraints: [spread, { ...spread, maxSkew: 2 }] },
    want: [`${spreadAt}.{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"`],
  },
  {
    name: "domains of a soft spread",
    spec: { topologySpreadConstraints: [{ ...spread, whenUnsatisfiable: "ScheduleAnyway", minDomains: 2 }] },
    want: [
      `${spreadAt}.minDomains: Invalid value: 2: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway`,
    ],
  },
  {
    name: "an unknown policy",
    spec: { topologySpreadConstraints: [{ ...spread, nodeTaintsPolicy: "Obey" }] },
    want: [`${spreadAt}.nodeTaintsPolicy: Unsupported value: "Obey": supported values: "Honor", "Ignore"`],
  },
  {
    name: "keys without a selector",
    spec: {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", matchLabelKeys: ["app"] },
      ],
    },
    want: [`${spreadAt}.matchLabelKeys: Forbidden: must not be specified when labelSelector is not set`],
  },
  {
    name: "a key that the selector has, too",
    spec: {
      topologySpreadConstraints: [
        {
          ...spread,
          matchLabelKeys: ["app"],
          labelSelector: {
            matchLabels: { app: "a" },
            matchExpressions: [{ key: "app", operator: "In", values: ["a"] }],
          },
        },
      ],
    },
    want: [`${spreadAt}[0]: Invalid value: "app": exists in both matchLabelKeys and labelSelector`],
  },
  {
    name: "a bad selector",
    spec: { topologySpreadConstraints: [{ ...spread, labelSelector: { matchExpressions: [{ key: "a" }] } }] },
    want: [
      `${spreadAt}.labelSelector.matchExpressions[0].operator: Invalid value: "": not a valid selector operator`,
    ],
  },
  { name: "a node by label", spec: nodeTerm({ operator: "In", values: ["ssd"] }), want: [] },
  {
    name: "a node by no value",
    spec: nodeTerm({ operator: "In" }),
    want: [
      `${nodeAt}[0].matchExpressions[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
    ],
  },
  {
    name: "a node by values that mean nothing",
    spec: nodeTerm({ operator: "Exists", values: ["a"] }),
    want: [
      `${nodeAt}[0].matchExpressions[0].values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
    ],
  },
  {
    name: "a node by two bounds",
    spec: nodeTerm({ operator: "Gt", values: ["1", "2"] }),
    want: [
      `${nodeAt}[0].matchExpressions[0].values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`,
    ],
  },
  {
    name: "a node by an unknown operator",
    spec: nodeTerm({ operator: "Like" }),
    want: [`${nodeAt}[0].matchExpressions[0].operator: Invalid value: "Like": not a valid selector operator`],
  },
  {
    name: "a node by an impossible value",
    spec: nodeTerm({ operator: "In", values: ["a b"] }),
    want: [`${nodeAt}[0].matchExpressions[0].values[0]: Invalid value: "a b": ${valueCharacters}`],
  },
  {
    name: "no node at all",
    spec: { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } } },
    want: [`${nodeAt}: Required value: must have at least one node selector term`],
  },
  {
    name: "a node by an unknown field",
    spec: {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: "spec.x", operator: "In", values: ["a"] }] }],
          },
        },
      },
    },
    want: [`${nodeAt}[0].matchFields[0].key: Invalid value: "spec.x": not a valid field selector key`],
  },
  {
    name: "a weight out of range",
    spec: {
      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 101 }] } },
    },
    want: [
      "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must be in the range 1-100",
    ],
  },
  { name: "company", spec: podTerm({ labelSelector: { matchLabels: { app: "a" } } }), want: [] },
  {
    name: "company nowhere",
    spec: podTerm({ topologyKey: "" }),
    want: [
      `${podAt}.topologyKey: Required value: can not be empty`,
      `${podAt}.topologyKey: Invalid value: "": name part must be non-empty`,
      `${podAt}.topologyKey: Invalid value: "": ${keyCharacters}`,
    ],
  },
  {
    name: "company by keys that contradict",
    spec: podTerm({ labelSelector: {}, matchLabelKeys: ["a"], mismatchLabelKeys: ["a"] }),
    want: [
      `${podAt}.matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and mismatchLabelKeys`,
    ],
  },
  {
    name: "patience",
    spec: { tolerations: [{ key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 }] },
    want: [],
  },
  {
    name: "patience with everything but the word for it",
    spec: { tolerations: [{ value: "x" }] },
    want: [
      'spec.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
    ],
  },
  {
    name: "limited patience with what does not evict",
    spec: { tolerations: [{ key: "a", operator: "Exists", effect: "NoSchedule", tolerationSeconds: 5 }] },
    want: [
      "spec.tolerations[0].effect: Invalid value: \"NoSchedule\": effect must be 'NoExecute' when `tolerationSeconds` is set",
    ],
  },
  {
    name: "patience by a value that is not asked for",
    spec: { tolerations: [{ key: "a", operator: "Exists", value: "x" }] },
    want: [
      "spec.tolerations[0].operator: Invalid value: \"x\": value must be empty when `operator` is 'Exists'",
    ],
  },
  {
    name: "patience by an unknown operator",
    spec: { tolerations: [{ key: "a", operator: "Like" }] },
    want: ['spec.tolerations[0].operator: Unsupported value: "Like": supported values: "Equal", "Exists"'],
  },
  {
    name: "patience with an unknown effect",
    spec: { tolerations: [{ key: "a", operator: "Exists", effect: "Explode" }] },
    want: [
      'spec.tolerations[0].effect: Unsupported value: "Explode": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  },
  {
    name: "a gate twice",
    spec: { schedulingGates: [{ name: "a/b" }, { name: "a/b" }] },
    want: ['spec.schedulingGates[1]: Duplicate value: "a/b"'],
  },
  {
    name: "a bad node label",
    spec: { nodeSelector: { "-a": "b" } },
    want: [`spec.nodeSelector: Invalid value: "-a": ${keyCharacters}`],
  },
  {
    name: "an unknown preemption policy",
    spec: { preemptionPolicy: "Always" },
    want: [
      'spec.preemptionPolicy: Unsupported value: "Always": supported values: "PreemptLowerPriority", "Never"',
    ],
  },
];

test.for(cases)("a Pod that asks for $name gets what Kubernetes says", ({ spec, want }) => {
  expect(problemsOfSpec(spec)).toEqual(want);
});
