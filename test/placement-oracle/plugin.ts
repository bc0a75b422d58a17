import type { DerivedSelector } from "./derived-selector.ts";
import type { SpreadConstraint } from "./pod-topology-spread/spread-constraint.ts";
import type { NodeInfo } from "./snapshot/node-info.ts";
import type { PodInfo } from "./snapshot/pod-info.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";

/**
 * One rule of placement, by the extension points of kube-scheduler's framework. A plugin leaves out the points at which
 * it does nothing.
 *
 * PreFilter and PreScore run once per placement and return closures that Filter and Score call once per node. The
 * closures replace upstream's CycleState: there are no keys to look up and no casts. A dry run (would the Pod fit if
 * these Pods were gone?) runs the plugin on another snapshot, so there is no AddPod or RemovePod that could miscount.
 */
export interface Plugin {
  readonly name: string;
  /** Decides whether the Pod may enter the active queue. */
  readonly preEnqueue?: (pod: PodInfo) => Fits | PlainRejection;
  /** Prepares filtering; `undefined` skips Filter, so that every node passes. */
  readonly preFilter?: (pod: PodInfo, snapshot: Snapshot) => PreFilterResult | undefined;
  /** Prepares scoring of the nodes that passed every filter; `undefined` skips Score. */
  readonly preScore?: (
    pod: PodInfo,
    snapshot: Snapshot,
    feasible: readonly NodeInfo[],
  ) => Scorer | Failure | undefined;
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
  /** Maps the measures of all feasible nodes, in their order, to 0 to 100; without it they have to be in that range. */
  readonly normalize?: (raw: readonly number[]) => readonly number[];
}

/** What a filter says about a node. */
export type Verdict = Fits | PlainRejection | Failure;

interface Fits {
  readonly kind: "fits";
}

/** Kubernetes' codes for a rejection: removing Pods cannot change the second. */
export type RejectionCode = "Unschedulable" | "UnschedulableAndUnresolvable";

/** A rejection, as a plugin returns it. */
export interface PlainRejection {
  readonly kind: "rejects";
  readonly code: RejectionCode;
  /** In Kubernetes' words, as events and conditions count them. */
  readonly reasons: readonly string[];
  /** What exactly was in the way, with its numbers, where the reasons leave that open. */
  readonly detail?: string;
}

/** The plugin could not do its work: something in the Pod makes no sense. */
export interface Failure {
  readonly kind: "fails";
  readonly message: string;
}

/** A refusal with the plugins it came from: one, or several that leave no node together. */
export interface Rejection extends PlainRejection {
  readonly plugins: readonly string[];
}

/** A failure with the plugin it came from and the extension point that was running. */
export interface PluginFailure extends Failure {
  readonly plugin: string;
  readonly point: "PreFilter" | "Filter" | "PreScore" | "Score";
}

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
  return { kind: "rejects", code, reasons, ...(detail === undefined ? {} : { detail }) };
}

/** A failure of the plugin itself. */
export function fails(message: string): Failure {
  return { kind: "fails", message };
}
