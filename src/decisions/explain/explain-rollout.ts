import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import { formatFieldError } from "../../api/field-error.ts";
import type { PodReplacementPolicy } from "../../api/workload-settings.ts";
import { formatMicroTime, type Instant } from "../../api/time.ts";
import { gatherRollout } from "../gather/gather-rollout.ts";
import { listReader } from "../gather/workload-reader.ts";
import type { RolloutAction } from "../rollout/action.ts";
import { type Budget, budgetOf } from "../rollout/budget.ts";
import { availableOf, podsOf, readyOf, sizeOf, terminatingOf } from "../rollout/counts.ts";
import type { RevisionLimit } from "../rollout/limit.ts";
import { planRollout, type PassKind } from "../rollout/plan-rollout.ts";
import type { RolloutState } from "../rollout/state.ts";
import type { ClusterObjects } from "./cluster-objects.ts";
import { type DecidedBy, decidedAs, defaultGatesOf, findDecidedBy } from "./decided-by.ts";
import { describeLimit } from "./describe-limit.ts";
import { isNamed, type ExplainedObject } from "./object-reference.ts";
import { describeReplacedPods, findReplacedPods, type ReplacedPods } from "./replaced-pods.ts";

/** What a rollout is explained for. */
export interface RolloutQuestion {
  readonly workload: ExplainedObject;
  readonly now: Instant;
  /** Absent: the profile is found out. */
  readonly profile?: DecidedBy["profile"] | undefined;
  /** Whose controllers decide, where that is known otherwise; absent: it is found out. */
  readonly decidedBy?: DecidedBy | undefined;
  /** The gates of an embedded cluster, if it says them. */
  readonly embeddedGates?: FeatureGates | undefined;
  readonly gates?: ((defaults: FeatureGates) => FeatureGates) | undefined;
}

/** What happens next to a Deployment, and what it waits for, as plain JSON. */
export interface RolloutExplanation {
  readonly kind: "RolloutExplanation";
  readonly time: string;
  readonly workload: ExplainedObject;
  readonly decidedBy: DecidedBy;
  readonly gates: FeatureGates;
  readonly strategy: Budget["strategy"];
  readonly replicas: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
  readonly policy?: PodReplacementPolicy;
  readonly isPaused: boolean;
  /** Why there are more Pods than the policy allows, if ReplicaSets have replaced some that others deleted. */
  readonly replaced?: ReplacedPods & { readonly because: string };
  /** The kind of the next pass of the Deployment controller. */
  readonly pass: PassKind;
  /** What that pass does to ReplicaSets, in order; empty when it waits. */
  readonly next: readonly RolloutStep[];
  /** Every revision with Pods or a size, the current one first, and what it waits for after that pass. */
  readonly revisions: readonly RevisionExplanation[];
  /** Why nothing happens, if the Deployment is malformed. */
  readonly problems: readonly string[];
}

/** Something that the next pass does. */
export type RolloutStep =
  /** A name that is not known before ends with `…`. */
  | { readonly do: "create"; readonly replicaSet: string; readonly size: number }
  | { readonly do: "scale"; readonly replicaSet: string; readonly from: number; readonly to: number }
  | { readonly do: "delete"; readonly replicaSet: string };

/** A revision as it is now, and what it waits for. */
export interface RevisionExplanation extends RevisionLimit {
  /** As the ReplicaSet reports them now; absent while it has yet to be created. */
  readonly counts?: {
    readonly size: number;
    readonly pods: number;
    readonly ready: number;
    readonly available: number;
    readonly terminating?: number;
  };
  /** The limit as a sentence. */
  readonly because: string;
}

/** Explains what a Deployment does next; `undefined` when it is not among the objects. */
export function explainRollout(
  objects: ClusterObjects,
  question: RolloutQuestion,
): RolloutExplanation | undefined {
  const { workload, now } = question;
  const deployment = objects.deployments.find((each) => isNamed(each, workload));
  if (deployment === undefined) return undefined;
  const labels = objects.namespaces.find(({ metadata }) => metadata.name === workload.namespace)?.metadata
    .labels;
  const found = question.decidedBy ?? findDecidedBy(deployment, labels);
  const decidedBy = question.profile === undefined ? found : decidedAs(question.profile, found);
  const defaults = defaultGatesOf(decidedBy, question.embeddedGates);
  const gates = question.gates?.(defaults) ?? defaults;
  const state = gatherRollout(deployment, listReader(objects), { gates, now });
  // kube-controller-manager hashes templates in a way of its own: what it will call a ReplicaSet is not known before.
  const isOurs = decidedBy.profile === "trimtab" && decidedBy.controllers !== "steered";
  const named = (created: string) => (isOurs ? created : `${workload.name}-…`);
  const plan = planRollout(state);
  return {
    kind: "RolloutExplanation",
    time: formatMicroTime(now),
    workload,
    decidedBy,
    gates,
    ...budgetNumbers(deployment, gates),
    isPaused: deployment.spec.paused === true,
    ...replacedOf(state, objects),
    pass: plan.kind,
    next: stepsOf(plan.actions, state).map((step) =>
      step.do === "create" ? { ...step, replicaSet: named(step.replicaSet) } : step,
    ),
    revisions: plan.limits.map((limit) => revisionOf(limit, { state, named })).filter(isWorthShowing),
    problems: plan.outcome.kind === "invalid" ? plan.outcome.errors.map(formatFieldError) : [],
  };
}

function budgetNumbers(
  deployment: Deployment,
  gates: FeatureGates,
): Pick<RolloutExplanation, "strategy" | "replicas" | "maxSurge" | "maxUnavailable" | "policy"> {
  const { strategy, replicas, maxSurge, maxUnavailable, policy } = budgetOf(deployment, gates);
  return { strategy, replicas, maxSurge, maxUnavailable, ...(policy === undefined ? {} : { policy }) };
}

function replacedOf(
  { deployment, replicaSets, gates }: RolloutState,
  objects: ClusterObjects,
): Pick<RolloutExplanation, "replaced"> {
  const reader = listReader(objects);
  const pods = replicaSets.flatMap((replicaSet) => reader.controlledPods(replicaSet));
  const found = findReplacedPods(budgetOf(deployment, gates), pods);
  return found === undefined ? {} : { replaced: { ...found, because: describeReplacedPods(found) } };
}

/** What a pass does to ReplicaSets; several writes to one that change its size count as one. */
function stepsOf(actions: readonly RolloutAction[], { replicaSets }: RolloutState): readonly RolloutStep[] {
  const steps = new Map<string, RolloutStep>();
  const sizeBefore = (name: string) =>
    sizeOf(replicaSets.find(({ metadata }) => metadata.name === name) ?? none);
  for (const action of actions) {
    switch (action.kind) {
      case "create-replica-set": {
        const { name = "" } = action.replicaSet.metadata;
        steps.set(name, { do: "create", replicaSet: name, size: action.replicaSet.spec.replicas ?? 1 });
        break;
      }
      case "update-replica-set": {
        const { name } = action.replicaSet.metadata;
        const step = resized(steps.get(name), {
          name,
          from: sizeBefore(name),
          to: sizeOf(action.replicaSet),
        });
        if (step !== undefined) steps.set(name, step);
        break;
      }
      case "delete-replica-set":
        steps.set(action.replicaSet.metadata.name, {
          do: "delete",
          replicaSet: action.replicaSet.metadata.name,
        });
        break;
      case "update-deployment":
      case "update-status":
      case "record-event":
        break;
    }
  }
  return [...steps.values()];
}

const none = { spec: { replicas: 0 } } as ReplicaSet;

function resized(
  earlier: RolloutStep | undefined,
  { name, from, to }: { readonly name: string; readonly from: number; readonly to: number },
): RolloutStep | undefined {
  if (earlier?.do === "create") return { ...earlier, size: to };
  return from === to ? undefined : { do: "scale", replicaSet: name, from, to };
}

/** What ReplicaSets that do not exist yet are called, by the names that our own controller would give them. */
interface Naming {
  readonly state: RolloutState;
  readonly named: (created: string) => string;
}

function revisionOf(limit: RevisionLimit, { state, named }: Naming): RevisionExplanation {
  const { replicaSet } = limit;
  const known = state.replicaSets.find(({ metadata }) => metadata.name === replicaSet);
  return {
    ...limit,
    ...(known === undefined && replicaSet !== undefined && { replicaSet: named(replicaSet) }),
    ...(known === undefined ? {} : { counts: countsOf(known) }),
    because: describeLimit(limit.limit),
  };
}

function countsOf(replicaSet: ReplicaSet): NonNullable<RevisionExplanation["counts"]> {
  const terminating = terminatingOf(replicaSet);
  return {
    size: sizeOf(replicaSet),
    pods: podsOf(replicaSet),
    ready: readyOf(replicaSet),
    available: availableOf(replicaSet),
    ...(terminating === undefined ? {} : { terminating }),
  };
}

/** Old revisions without Pods are only there to be rolled back to. */
function isWorthShowing({ role, size, counts }: RevisionExplanation): boolean {
  const { size: before = 0, pods = 0, terminating = 0 } = counts ?? {};
  return role === "new" || size + before + pods + terminating > 0;
}
