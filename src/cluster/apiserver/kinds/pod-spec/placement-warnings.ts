import type {
  Affinity,
  NodeSelectorTerm,
  PodAffinityTerm,
  PodSpec,
} from "../../../../api/generated/core-v1.ts";
import { labelValueProblems } from "../../../../api/labels/label-syntax.ts";
import type { Sent } from "../../../../api/sent.ts";
import {
  archLabel,
  formerArchLabel,
  formerOsLabel,
  formerRegionLabel,
  formerZoneLabel,
  osLabel,
  regionLabel,
  zoneLabel,
} from "../../../../api/well-known.ts";

const instead = (version: string, label: string) => `deprecated since ${version}; use "${label}" instead`;

/** Deprecated node labels, most of them with the label that replaces them. */
const deprecatedLabels: ReadonlyMap<string, string> = new Map([
  [formerArchLabel, instead("v1.14", archLabel)],
  [formerOsLabel, instead("v1.14", osLabel)],
  [formerRegionLabel, instead("v1.17", regionLabel)],
  [formerZoneLabel, instead("v1.17", zoneLabel)],
  ["beta.kubernetes.io/instance-type", instead("v1.17", "node.kubernetes.io/instance-type")],
  ["app.kubernetes.io/created-by", "deprecated since v1.9"],
  [
    "scheduler.alpha.kubernetes.io/preferAvoidPods",
    "deprecated since v1.22; use Taints and Tolerations instead",
  ],
  ["node-role.kubernetes.io/master", 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/**
 * Warns of probable mistakes in a Pod's placement: deprecated labels, values that no label can have, selectors that
 * match no Pod.
 */
export function placementWarnings(spec: Sent<PodSpec>, path: string): readonly string[] {
  const { nodeSelector = {}, affinity = {}, topologySpreadConstraints = [] } = spec;
  // Most Pods have none of these, and Pods are created often.
  if (!spec.nodeSelector && !spec.affinity && topologySpreadConstraints.length === 0) return [];
  return [
    ...Object.keys(nodeSelector).flatMap((label) => {
      const why = deprecatedLabels.get(label);
      return why === undefined ? [] : [`${path}.nodeSelector[${label}]: ${why}`];
    }),
    ...nodeAffinityWarnings(affinity, `${path}.affinity.nodeAffinity`),
    ...topologySpreadConstraints.flatMap(({ topologyKey, labelSelector }, index) => [
      ...labelWarnings(topologyKey, `${path}.topologySpreadConstraints[${index}].topologyKey`),
      ...selectorWarnings(labelSelector, `${path}.topologySpreadConstraints[${index}].labelSelector`),
    ]),
    ...(["podAffinity", "podAntiAffinity"] as const).flatMap((member) =>
      podAffinityWarnings(affinity[member], `${path}.affinity.${member}`),
    ),
  ];
}

function labelWarnings(label: string | undefined, path: string): readonly string[] {
  const why = deprecatedLabels.get(label ?? "");
  return why === undefined ? [] : [`${path}: ${label} is ${why}`];
}

const selectorWarnings = (selector: unknown, path: string) =>
  selector === undefined ? [`${path}: a null labelSelector results in matching no pod`] : [];

function nodeAffinityWarnings({ nodeAffinity = {} }: Sent<Affinity>, path: string): readonly string[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required = {},
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = nodeAffinity;
  const requiredPath = `${path}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
  return [
    ...(required.nodeSelectorTerms ?? []).flatMap((term, index) =>
      termWarnings(term, `${requiredPath}[${index}]`),
    ),
    ...preferred.flatMap(({ preference = {} }, index) => {
      const at = `${path}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`;
      return [...termWarnings(preference, at), ...valueWarnings(preference, at)];
    }),
  ];
}

const termWarnings = ({ matchExpressions = [] }: Sent<NodeSelectorTerm>, path: string) =>
  matchExpressions.flatMap(({ key }, index) => labelWarnings(key, `${path}.matchExpressions[${index}].key`));

/** Warns of values that no label can have; required terms with such values are refused. */
const valueWarnings = ({ matchExpressions = [] }: Sent<NodeSelectorTerm>, path: string) =>
  matchExpressions.flatMap(({ values = [] }, index) =>
    values.flatMap((value, at) =>
      labelValueProblems(value).map(
        (problem) => `${path}.matchExpressions[${index}].values[${at}]: ${value} is invalid, ${problem}`,
      ),
    ),
  );

type PodAffinity = NonNullable<Sent<Affinity>["podAffinity"]>;

function podAffinityWarnings(affinity: PodAffinity | undefined, path: string): readonly string[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required = [],
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = affinity ?? {};
  const warnings = ({ labelSelector }: Sent<PodAffinityTerm>, at: string) =>
    selectorWarnings(labelSelector, `${at}.labelSelector`);
  return [
    ...required.flatMap((term, index) =>
      warnings(term, `${path}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`),
    ),
    ...preferred.flatMap(({ podAffinityTerm = {} }, index) =>
      warnings(
        podAffinityTerm,
        `${path}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm`,
      ),
    ),
  ];
}
