import { formatTime, type Instant } from "../../api/time.ts";
import {
  describeConstraint,
  failedSchedulingMessage,
  describeSelection,
} from "../../decisions/explain/placement-reason.ts";
import { explainPlacement, type PlacementExplanation } from "../../decisions/placement/explain-placement.ts";
import type { Placement } from "../../decisions/placement/place-pod.ts";

/** A placement that was made, and when and how. */
export interface MadePlacement {
  readonly placement: Placement;
  readonly at: Instant;
  /** The scheduler's name for it. */
  readonly profile: string;
  /** How often the Pod had been tried by then. */
  readonly attempt: number;
}

/** What is known about the last attempt to place a Pod: plain JSON, with a sentence for people. */
export interface PlacementRecord extends PlacementExplanation {
  readonly at: string;
  readonly profile: string;
  readonly attempt: number;
  /** Where the Pod went and what settled it, or why it went nowhere. */
  readonly summary: string;
  /** The constraints in words, in their order. */
  readonly spread: readonly string[];
}

/** How much is remembered. */
export interface RecordLimits {
  readonly placements: number;
  /** Nodes in all placements together: in a large cluster a single one has thousands. */
  readonly nodes: number;
}

const defaultLimits: RecordLimits = { placements: 1000, nodes: 20_000 };

/** Remembers the last placement of each of the last few Pods. */
export class PlacementRecords {
  readonly #limits: RecordLimits;
  /** By UID, the oldest first. */
  readonly #placements = new Map<string, MadePlacement>();
  #nodes = 0;

  constructor(limits: RecordLimits = defaultLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#placements.size;
  }

  /** Remembers a placement, and forgets older ones when it becomes too much. */
  add(made: MadePlacement): void {
    const { uid } = made.placement.pod.metadata;
    this.#forget(uid);
    this.#placements.set(uid, made);
    this.#nodes += nodesIn(made);
    for (const oldest of this.#placements.keys()) {
      if (!this.#isTooMuch() || oldest === uid) break;
      this.#forget(oldest);
    }
  }

  /** What is remembered of the Pods of this name, newest first. Empty names stand for any. */
  find({
    namespace = "",
    name = "",
  }: {
    readonly namespace?: string;
    readonly name?: string;
  }): readonly PlacementRecord[] {
    return [...this.#placements.values()]
      .filter(({ placement }) => namespace === "" || placement.pod.metadata.namespace === namespace)
      .filter(({ placement }) => name === "" || placement.pod.metadata.name === name)
      .reverse()
      .map(recordOf);
  }

  #isTooMuch(): boolean {
    return this.#placements.size > this.#limits.placements || this.#nodes > this.#limits.nodes;
  }

  #forget(uid: string): void {
    const made = this.#placements.get(uid);
    if (made === undefined) return;
    this.#placements.delete(uid);
    this.#nodes -= nodesIn(made);
  }
}

function nodesIn({ placement }: MadePlacement): number {
  return placement.refused.length + placement.feasible.length;
}

function recordOf({ placement, at, profile, attempt }: MadePlacement): PlacementRecord {
  const explanation = explainPlacement(placement);
  return {
    at: formatTime(at),
    profile,
    attempt,
    summary: failedSchedulingMessage(placement) ?? describeSelection(explanation),
    spread: explanation.constraints.map((constraint) => describeConstraint(constraint, explanation.selector)),
    ...explanation,
  };
}
