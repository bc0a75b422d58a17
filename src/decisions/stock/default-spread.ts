import type { ReplicaSet, StatefulSet } from "../../api/generated/apps-v1.ts";
import type {
  Pod,
  ReplicationController,
  Service,
  TopologySpreadConstraint,
} from "../../api/generated/core-v1.ts";
import type { LabelSelector } from "../../api/generated/meta-v1.ts";
import type { LabelRequirement, LabelSelection } from "../../api/labels/label-selector.ts";
import { deriveSelector, type SelectorSource } from "../placement/derived-selector.ts";
import { podInfo } from "../placement/objects/pod-info.ts";
import { clusterViewOf } from "../placement/view/list-view.ts";

/** The objects of a Pod's namespace that may select it: its Services, and its controller. */
export interface SelectingObjects {
  readonly services: readonly Service[];
  readonly replicationControllers?: readonly ReplicationController[];
  readonly replicaSets?: readonly ReplicaSet[];
  readonly statefulSets?: readonly StatefulSet[];
}

/** The constraints that a Pod gets, and the objects whose selectors they count by. */
export interface AddedConstraints {
  readonly constraints: readonly TopologySpreadConstraint[];
  readonly from: readonly SelectorSource[];
}

/**
 * The operator's constraints for a Pod that has none of its own, each over the Pods that its Services and its controller
 * select together (KEP-1258); `undefined` where nothing selects the Pod, or there are no defaults.
 */
export function defaultSpread(
  pod: Pod,
  defaults: readonly TopologySpreadConstraint[],
  objects: SelectingObjects,
): AddedConstraints | undefined {
  if ((pod.spec?.topologySpreadConstraints ?? []).length > 0 || defaults.length === 0) return undefined;
  const { selection, from } = deriveSelector(podInfo(pod), clusterViewOf({ nodes: [], ...objects }));
  if (from.length === 0) return undefined;
  const labelSelector = selectorOf(selection);
  return { constraints: defaults.map((constraint) => ({ ...constraint, labelSelector })), from };
}

/** A selection as objects write it. */
function selectorOf(selection: LabelSelection): LabelSelector {
  const requirements = selection.selects === "matching" ? selection.requirements : [];
  const pairs = requirements.flatMap((each) => (isPair(each) ? [[each.key, each.value] as const] : []));
  const matchLabels = Object.fromEntries(pairs);
  const matchExpressions = requirements.flatMap((each) =>
    isPair(each) && matchLabels[each.key] === each.value ? [] : [expressionOf(each)],
  );
  return {
    ...(pairs.length > 0 && { matchLabels }),
    ...(matchExpressions.length > 0 && { matchExpressions }),
  };
}

type Pair = Extract<LabelRequirement, { readonly value: string }>;

function isPair(requirement: LabelRequirement): requirement is Pair {
  return requirement.operator === "=" || requirement.operator === "==";
}

type Expression = NonNullable<LabelSelector["matchExpressions"]>[number];

function expressionOf(requirement: LabelRequirement): Expression {
  const { key, operator } = requirement;
  switch (operator) {
    case "exists":
      return { key, operator: "Exists" };
    case "absent":
      return { key, operator: "DoesNotExist" };
    case "in":
      return { key, operator: "In", values: requirement.values };
    case "notin":
      return { key, operator: "NotIn", values: requirement.values };
    case "!=":
      return { key, operator: "NotIn", values: [requirement.value] };
    case "=":
    case "==":
    case ">":
    case "<":
      return { key, operator: "In", values: [requirement.value] };
  }
}
