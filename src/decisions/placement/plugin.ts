import type { PersistentVolume, PersistentVolumeClaim } from "../../api/generated/core-v1.ts";
import type { PodDisruptionBudget } from "../../api/generated/policy-v1.ts";
import type { DerivedSelector } from "./derived-selector.ts";
import type { SpreadConstraint } from "./objects/spread-constraint.ts";
import type { NodeInfo } from "./objects/node-info.ts";
import type { PodInfo } from "./objects/pod-info.ts";
import type { ClusterView } from "./view/cluster-view.ts";

/**
 * One rule of placement, by the extension points of kube-scheduler's framework. A plugin leaves out the points at which
 * it does nothing.
 *
 * PreFilter and PreScore run once per placement and return closures that Filter and Score call once per node. The
 * closures replace upstream's CycleState: there are no keys to look up and no casts. A dry run (would the Pod fit if
 * these Pods were gone?) prepares the plugin anew with the cluster that it assumes, so there is no AddPod or RemovePod of a
 * plugin that could miscount.
 */
export interface Plugin {
  readonly name: string;
  /** Decides whether the Pod may enter the active queue. */
  readonly preEnqueue?: (pod: PodInfo) => Fits | PlainRejection;
  /** Prepares filtering; `undefined` skips Filter, so that every node passes. */
  readonly preFilter?: (pod: PodInfo, cluster: ClusterView) => PreFilterResult | undefined;
  /** Prepares scoring of the nodes that passed every filter; `undefined` skips Score. */
  readonly preScore?: (
    pod: PodInfo,
    cluster: ClusterView,
    feasible: readonly NodeInfo[],
  ) => Scorer | Failure | undefined;
  /** Says what has to be written before the Pod is bound to the node that was chosen; `undefined`: nothing. */
  readonly preBind?: (pod: PodInfo, node: NodeInfo, cluster: ClusterView) => VolumeBindingPlan | undefined;
  /**
   * Looks for a way to place a Pod that no node passed every filter for. It yields where it may pause, since that can take
   * long in a large cluster; the cluster may change in a pause.
   */
  readonly postFilter?: (
    pod: PodInfo,
    cluster: ClusterView,
    attempt: FailedAttempt,
  ) => Generator<void, PostFilterResult, void>;
}

/** What is written for the claims of a Pod before it is bound to a node, and waited for. */
export interface VolumeBindingPlan {
  /** Volumes that exist and are kept for a claim. */
  readonly reserved: readonly { readonly claim: PersistentVolumeClaim; readonly volume: PersistentVolume }[];
  /** Claims whose volume is made for this node. */
  readonly provisioned: readonly PersistentVolumeClaim[];
  /** How long the Pod waits until they are bound. */
  readonly timeoutMs: number;
}

/** What PreFilter found out about a Pod. Every member may be missing. */
export interface PreFilterResult {
  /** Rejects every node, or reports that the plugin failed, before any node is examined. */
  readonly refusal?: PlainRejection | Failure;
  /** The names of the only nodes that can pass. */
  readonly nodeNames?: ReadonlySet<string>;
  /** Examines one node (Filter). */
  readonly filter?: (node: NodeInfo) => Verdict;
  /** What the plugin's decisions rest on that the Pod itself does not show. */
  readonly state?: PluginState;
}

/** What a plugin computed from the cluster and used for its decisions; explanations show it. */
export interface PluginState {
  readonly constraints?: readonly SpreadConstraint[];
  readonly selector?: DerivedSelector;
}

/** Scores the nodes that PreScore prepared for. */
export interface Scorer {
  readonly kind: "scores";
  /** The plugin's own measure of a node (Score). */
  readonly score: (node: NodeInfo) => number;
  /**
   * Maps the measures of all feasible nodes, in their order, to 0 to 100; without it they have to be in that range. It may
   * fill the second array with the scores, which is used again, and return that.
   */
  readonly normalize?: (raw: readonly number[], into?: number[]) => readonly number[];
}

/** What a filter says about a node: that the Pod fits, a rejection, or a failure of the plugin. */
export type Verdict = Fits | PlainRejection | SharedRejection | Failure;

interface Fits {
  readonly kind: "fits";
}

/** Kubernetes' codes for a rejection: removing Pods cannot change the second. */
export type RejectionCode = "Unschedulable" | "UnschedulableAndUnresolvable";

/** A rejection, as a plugin returns it: without its name. */
export interface PlainRejection {
  readonly kind: "rejects";
  readonly code: RejectionCode;
  /** In Kubernetes' words, as events and conditions count them. */
  readonly reasons: readonly string[];
  /** What exactly was in the way, with its numbers, where the reasons leave that open. */
  readonly detail?: string;
}

/** A rejection that many nodes share, although its detail differs from node to node. */
export interface SharedRejection extends Omit<PlainRejection, "detail"> {
  readonly detail: DetailBySubject;
}

/** A detail that names something of the node: the sentence is made when it is read, which may be after the node changed. */
export interface DetailBySubject {
  /** What the sentence is about: a string that exists anyway, so that nothing is allocated. */
  readonly subject: (node: NodeInfo) => string;
  readonly text: (subject: string) => string;
}

/** The plugin could not do its work: something in the Pod makes no sense. */
export interface Failure {
  readonly kind: "fails";
  readonly message: string;
}

/** A rejection with the plugins it came from: one, or several that leave no node together. */
export interface Rejection extends PlainRejection {
  readonly plugins: readonly string[];
}

/** A failure with the plugin it came from and the extension point that was running. */
export interface PluginFailure extends Failure {
  readonly plugin: string;
  readonly point: "PreFilter" | "Filter" | "PreScore" | "Score";
}

/** What PostFilter is told about an attempt that found no node. */
export interface FailedAttempt {
  /** The nodes that were examined, with the codes of their rejections. */
  readonly refused: ReadonlyMap<string, RejectionCode>;
  /**
   * Runs every filter on a node of the cluster, or of the one that a dry run assumes: the rejection, if there is one. The
   * Pod has to fit with and without the Pods that are nominated to the node.
   */
  readonly rejectionBy: (node: NodeInfo, cluster: ClusterView) => Rejection | PluginFailure | undefined;
  /** The node that the Pod was nominated to before. */
  readonly nominatedNode?: string | undefined;
  readonly budgetsIn: (namespace: string) => readonly PodDisruptionBudget[];
  /** Draws a whole number below the limit. */
  readonly draw: (limit: number) => number;
}

export type PostFilterResult =
  /** The Pod is nominated to a node, where these Pods have to go first. */
  | {
      readonly kind: "preempts";
      readonly node: string;
      /** The most important first. */
      readonly victims: readonly PodInfo[];
      /** What decided for this node. */
      readonly because: string;
    }
  /** Nothing is done now, and an earlier nomination is kept. */
  | { readonly kind: "waits"; readonly message: string }
  /** Nothing can be done, and an earlier nomination is withdrawn. */
  | { readonly kind: "gives-up"; readonly message: string };

/** A node that was rejected, and why. */
export interface RefusedNode {
  readonly node: string;
  readonly rejection: Rejection;
}

export const fits: Fits = { kind: "fits" };

/** A rejection that removing Pods might change. */
export function unschedulable(reason: string, detail?: string): PlainRejection {
  return rejects("Unschedulable", [reason], detail);
}

/** A rejection that removing Pods cannot change. */
export function unresolvable(reason: string, detail?: string): PlainRejection {
  return rejects("UnschedulableAndUnresolvable", [reason], detail);
}

/** A rejection for one or several reasons. */
export function rejects(code: RejectionCode, reasons: readonly string[], detail?: string): PlainRejection {
  return detail === undefined
    ? { kind: "rejects", code, reasons }
    : { kind: "rejects", code, reasons, detail };
}

/** A failure of the plugin itself. */
export function fails(message: string): Failure {
  return { kind: "fails", message };
}
