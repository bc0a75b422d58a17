import type { NodeInfo } from "./snapshot/node-info.ts";
import type { PodInfo } from "./snapshot/pod-info.ts";
import type { DerivedSelector } from "./derived-selector.ts";
import type { SpreadConstraint } from "./pod-topology-spread/spread-constraint.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";

/**
 * One rule of placement.
 *
 * `consider` is asked once per decision. What it finds out about the cluster as a whole lives in the closures it
 * returns, so there is no state to look up and none to get wrong. A dry run (would the Pod fit if these went?) is the
 * same question about another snapshot: nothing is added to or taken from an opinion, so it cannot count wrongly.
 */
export interface Plugin {
  readonly name: string;
  /** Whether the Pod may be tried at all (PreEnqueue); without it, it may. */
  readonly preEnqueue?: (pod: PodInfo) => Fits | Refusal;
  /** What there is to say about a Pod in this cluster; nothing means that every node will do, and equally well. */
  readonly preFilter: (pod: PodInfo, snapshot: Snapshot) => PreFilterResult | undefined;
}

/** What a plugin makes of a Pod. Every member may be missing: it then has nothing to say on that point. */
export interface PreFilterResult {
  /** Says no to every node before any is looked at (PreFilter). */
  readonly refusal?: Refusal | Failure;
  /** The names of the only nodes that can do (PreFilter). */
  readonly nodeNames?: ReadonlySet<string>;
  /** Judges one node (Filter). */
  readonly filter?: (node: NodeInfo) => Verdict;
  /** Gets ready to score all nodes that every filter let pass (PreScore); `undefined` when it has no preference. */
  readonly preScore?: (feasible: readonly NodeInfo[]) => Scorer | Failure | undefined;
  /** What it rests on that the Pod itself does not show. */
  readonly state?: PluginState;
}

/** What an opinion rests on, for explanations. */
export interface PluginState {
  readonly constraints?: readonly SpreadConstraint[];
  readonly selector?: DerivedSelector;
}

/** How a plugin scores the nodes it was prepared for. */
export interface Scorer {
  readonly kind: "scores";
  /** The plugin's own measure of a node (Score). */
  readonly score: (node: NodeInfo) => number;
  /** Brings the measures of all prepared nodes, in their order, into 0 to 100; without it they are there already. */
  readonly normalize?: (raw: readonly number[]) => readonly number[];
}

/** What a filter says about a node. */
export type Verdict = Fits | Refusal | Failure;

interface Fits {
  readonly kind: "fits";
}

/** Kubernetes' codes for a no: the second is one that taking Pods away could not change. */
export type RefusalCode = "Unschedulable" | "UnschedulableAndUnresolvable";

export interface Refusal {
  readonly kind: "rejects";
  readonly code: RefusalCode;
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

export const fits: Fits = { kind: "fits" };

/** A no that might become a yes if Pods went away. */
export function unschedulable(reason: string, detail?: string): Refusal {
  return rejects("Unschedulable", [reason], detail);
}

/** A no that stays one whichever Pods go. */
export function unresolvable(reason: string, detail?: string): Refusal {
  return rejects("UnschedulableAndUnresolvable", [reason], detail);
}

/** A no for one or several reasons. */
export function rejects(code: RefusalCode, reasons: readonly string[], detail?: string): Refusal {
  return { kind: "rejects", code, reasons, ...(detail === undefined ? {} : { detail }) };
}

export function fails(message: string): Failure {
  return { kind: "fails", message };
}
