import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../../../api/feature-gates.ts";
import { formatFieldError } from "../../../../api/field-error.ts";
import type { PodSpec } from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { validatePodStatus } from "./validate-pod-status.ts";
import { validatePodUpdate } from "./validate-pod-update.ts";

const app = { name: "app", image: "nginx:1" };
const taint = { key: "a", operator: "Exists", effect: "NoExecute" };
const gates = [{ name: "a/b" }];
const only =
  "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\nchanged: ";
const terms = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
const requiring = (...keys: string[]): Sent<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: keys.map((key) => ({ key, operator: "Exists" })) }],
      },
    },
  },
});

const cases: readonly {
  readonly name: string;
  readonly before?: Sent<PodSpec>;
  readonly after?: Sent<PodSpec>;
  readonly want: readonly string[];
}[] = [
  { name: "may change nothing", want: [] },
  { name: "may change an image", after: { containers: [{ ...app, image: "nginx:2" }] }, want: [] },
  {
    name: "may not change a name",
    after: { containers: [{ ...app, name: "other" }] },
    want: [`${only}spec.containers[0].name`],
  },
  {
    name: "may not change resources",
    before: { containers: [{ ...app, resources: { limits: { cpu: "1" } } }] },
    after: { containers: [{ ...app, resources: { limits: { cpu: "2" } } }] },
    want: [`${only}spec.containers[0].resources.limits.cpu`],
  },
  { name: "may not move", after: { nodeName: "n2" }, want: [`${only}spec.nodeName`] },
  {
    name: "may not add a container",
    after: { containers: [app, { ...app, name: "b" }] },
    want: ["spec.containers: Forbidden: pod updates may not add or remove containers"],
  },
  {
    name: "may not remove an init container",
    before: { initContainers: [app] },
    want: ["spec.initContainers: Forbidden: pod updates may not add or remove containers"],
  },
  { name: "may set a deadline", after: { activeDeadlineSeconds: 9 }, want: [] },
  {
    name: "may shorten a deadline",
    before: { activeDeadlineSeconds: 9 },
    after: { activeDeadlineSeconds: 8 },
    want: [],
  },
  {
    name: "may not extend a deadline",
    before: { activeDeadlineSeconds: 8 },
    after: { activeDeadlineSeconds: 9 },
    want: ["spec.activeDeadlineSeconds: Invalid value: 9: must be less than or equal to previous value"],
  },
  {
    name: "may not lift a deadline",
    before: { activeDeadlineSeconds: 8 },
    want: [
      "spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value",
    ],
  },
  { name: "may add a toleration", after: { tolerations: [taint] }, want: [] },
  {
    name: "may change the patience of a toleration",
    before: { tolerations: [taint] },
    after: { tolerations: [{ ...taint, tolerationSeconds: 5 }] },
    want: [],
  },
  {
    name: "may not remove a toleration",
    before: { tolerations: [taint] },
    want: [
      "spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds",
    ],
  },
  { name: "may open a gate", before: { schedulingGates: gates }, want: [] },
  {
    name: "may not add a gate",
    after: { schedulingGates: gates },
    want: [
      "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a/b'",
    ],
  },
  {
    name: "may repair a negative grace period",
    before: { terminationGracePeriodSeconds: -1 },
    after: { terminationGracePeriodSeconds: 1 },
    want: [],
  },
  {
    name: "may not change a good grace period",
    before: { terminationGracePeriodSeconds: 30 },
    after: { terminationGracePeriodSeconds: 1 },
    want: [`${only}spec.terminationGracePeriodSeconds`],
  },
  {
    name: "may not become choosier",
    after: { nodeSelector: { disk: "ssd" } },
    want: [`${only}spec.nodeSelector`],
  },
  {
    name: "may become choosier while gated",
    before: { schedulingGates: gates, nodeSelector: { disk: "ssd" } },
    after: { schedulingGates: gates, nodeSelector: { disk: "ssd", zone: "a" }, ...requiring("gpu") },
    want: [],
  },
  {
    name: "may not become less choosy while gated",
    before: { schedulingGates: gates, nodeSelector: { disk: "ssd" } },
    after: { schedulingGates: gates },
    want: [
      "spec.nodeSelector: Invalid value: {}: only additions to spec.nodeSelector are allowed (no mutations or deletions)",
    ],
  },
  {
    name: "may require more while gated",
    before: { schedulingGates: gates, ...requiring("a") },
    after: { schedulingGates: gates, ...requiring("a", "b") },
    want: [],
  },
  {
    name: "may not require something else while gated",
    before: { schedulingGates: gates, ...requiring("a") },
    after: { schedulingGates: gates, ...requiring("b") },
    want: [
      `${terms}[0]: Invalid value: {"matchExpressions":[{"key":"b","operator":"Exists"}]}: only additions are allowed (no mutations or deletions)`,
    ],
  },
  {
    name: "may not require nothing while gated",
    before: { schedulingGates: gates, ...requiring("a") },
    after: { schedulingGates: gates },
    want: [
      `${terms}: Invalid value: []: no additions/deletions to non-empty NodeSelectorTerms list are allowed`,
    ],
  },
];

test.for(cases)("an update of a Pod $name", ({ before = {}, after = {}, want }) => {
  const previous = { spec: { containers: [app], ...before } };
  const next = { spec: { containers: [app], ...after } };
  expect(validatePodUpdate({ next, previous }).map(formatFieldError)).toEqual(want);
});

const armor = "container.apparmor.security.beta.kubernetes.io/app";
const mirror = "kubernetes.io/config.mirror";

test.for([
  { name: "added", next: { [armor]: "unconfined" }, want: ["may not add AppArmor annotations"] },
  {
    name: "changed",
    previous: { [armor]: "unconfined" },
    next: { [armor]: "runtime/default" },
    want: ["may not remove or update AppArmor annotations"],
  },
  {
    name: "removed",
    previous: { [armor]: "unconfined" },
    want: ["may not remove or update AppArmor annotations"],
  },
  {
    name: "kept beside others",
    previous: { [armor]: "unconfined" },
    next: { [armor]: "unconfined", a: "b" },
    want: [],
  },
  { name: "added to make it a mirror", next: { [mirror]: "x" }, want: ["may not add mirror pod annotation"] },
  {
    name: "removed from a mirror",
    previous: { [mirror]: "x" },
    want: ["may not remove or update mirror pod annotation"],
  },
])("an annotation of a Pod that is $name", ({ previous = {}, next = {}, want }) => {
  const spec = { containers: [app], nodeName: "n" };
  const update = {
    previous: { metadata: { name: "web", annotations: previous }, spec },
    next: { metadata: { name: "web", annotations: next }, spec },
  };
  const context = { gates: defaultFeatureGates, now: 0 };
  expect(validatePodUpdate(update).map(({ detail }) => detail)).toEqual(want);
  expect(validatePodStatus(update, context).map(({ detail }) => detail)).toEqual(want);
});
