import type { PodAffinity, PodAffinityTerm, PodSpec } from "../generated/core-v1.ts";
import type { LabelSelector, LabelSelectorRequirement } from "../generated/meta-v1.ts";
import { eachItem, type MemberMaps, mapMembers } from "../defaulting.ts";
import type { Sent } from "../sent.ts";

/** A term with a selector that the Pod's own labels narrow. */
export interface LabelKeys {
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
  readonly labelSelector?: Sent<LabelSelector>;
}

type Labels = Readonly<Record<string, string>>;

/** The spec with `matchLabelKeys` and `mismatchLabelKeys` turned into requirements on the Pod's own label values. */
export function mergeLabelKeys(spec: Sent<PodSpec>, labels: Labels): Sent<PodSpec> {
  const merge = <T extends LabelKeys>(term: T): T => mergeInto(term, labels);
  const terms = affinityMaps(merge);
  return mapMembers(spec, {
    topologySpreadConstraints: eachItem(merge),
    affinity: (affinity) =>
      mapMembers(affinity, {
        podAffinity: (pods) => mapMembers(pods, terms),
        podAntiAffinity: (pods) => mapMembers(pods, terms),
      }),
  });
}

function affinityMaps(
  merge: (term: Sent<PodAffinityTerm>) => Sent<PodAffinityTerm>,
): MemberMaps<Sent<PodAffinity>> {
  return {
    requiredDuringSchedulingIgnoredDuringExecution: eachItem(merge),
    preferredDuringSchedulingIgnoredDuringExecution: eachItem((weighted) =>
      mapMembers(weighted, { podAffinityTerm: merge }),
    ),
  };
}

function mergeInto<T extends LabelKeys>(term: T, labels: Labels): T {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector } = term;
  const added = [
    ...requirements(matchLabelKeys, "In", labels),
    ...requirements(mismatchLabelKeys, "NotIn", labels),
  ];
  // An absent selector matches nothing; adding a requirement would change that.
  if (labelSelector === undefined || added.length === 0) return term;
  const selector: Sent<LabelSelector> = {
    ...labelSelector,
    matchExpressions: [...(labelSelector.matchExpressions ?? []), ...added],
  };
  return { ...term, labelSelector: selector };
}

function requirements(keys: readonly string[], operator: string, labels: Labels): LabelSelectorRequirement[] {
  return keys.flatMap((key) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
}
