import { placementSummary } from "../../decisions/explain/placement-reason.ts";
import {
  type PlacementDecision,
  type PlacementRecord,
  toPlacementRecord,
} from "../../decisions/explain/placement-record.ts";
import type { Placement, PlacementOutcome } from "../../decisions/placement/place-pod.ts";
import { noScores } from "../../decisions/placement/score-nodes.ts";
import type { DecisionQuery } from "../../machinery/diagnostics/decision-log.ts";
import { type PackedNodes, packNodes, unpackNodes } from "./packed-placement.ts";

/** How many placements keep the verdicts and scores of all nodes. */
const maxTables = 200;

/** Which placements are read, and how much of each. */
export interface PlacementQuery extends DecisionQuery {
  /** Whether the verdicts on all nodes are wanted, where they are kept. */
  readonly withNodes?: boolean;
  /** The most records, of the newest. */
  readonly limit?: number;
}

/** What is kept of the last attempt to place a Pod. */
interface Entry {
  /** Without its nodes, and without the names of nodes that were as good as the chosen one. */
  readonly decision: PlacementDecision;
  readonly summary: string;
  /** Of the latest placements only. */
  table?: { readonly nodes: PackedNodes; readonly outcome: PlacementOutcome };
  isGone: boolean;
}

/**
 * The last placement of every living Pod: a few numbers for each, and the table of all nodes for the latest. Records are
 * made when they are read, which most never are.
 */
export class PlacementLog {
  /** By UID of the Pod, oldest first. */
  readonly #entries = new Map<string, Entry>();
  /** The UIDs of the Pods whose placement has a table, oldest first. */
  readonly #tables = new Set<string>();

  get size(): number {
    return this.#entries.size;
  }

  add(decision: PlacementDecision): void {
    const { uid } = decision.placement.pod.metadata;
    const { outcome } = decision.placement;
    this.#entries.delete(uid);
    this.#tables.delete(uid);
    this.#entries.set(uid, {
      decision: { ...decision, placement: withoutNodes(decision.placement) },
      summary: placementSummary(decision.placement),
      table: { nodes: packNodes(decision.placement), outcome },
      isGone: false,
    });
    this.#tables.add(uid);
    if (this.#tables.size > maxTables) this.#dropOldestTable();
  }

  /** Forgets the placement of a Pod that is gone, as soon as it is not among the latest. */
  forget(uid: string): void {
    const entry = this.#entries.get(uid);
    if (entry === undefined) return;
    if (entry.table === undefined) this.#entries.delete(uid);
    else entry.isGone = true;
  }

  /** The records of the Pods that match, newest first. */
  find({ namespace = "", name = "", ...wanted }: PlacementQuery = {}): readonly PlacementRecord[] {
    const { withNodes = true, limit = Infinity } = wanted;
    return [...this.#entries.values()]
      .filter(({ decision }) => {
        const { metadata } = decision.placement.pod;
        return (
          (namespace === "" || metadata.namespace === namespace) && (name === "" || metadata.name === name)
        );
      })
      .reverse()
      .slice(0, limit)
      .map((entry) => toRecord(entry, withNodes));
  }

  #dropOldestTable(): void {
    const [oldest] = this.#tables;
    if (oldest === undefined) return;
    this.#tables.delete(oldest);
    const entry = this.#entries.get(oldest);
    if (entry?.isGone === true) this.#entries.delete(oldest);
    else delete entry?.table;
  }
}

function withoutNodes(placement: Placement): Placement {
  const { pod, outcome, nodes, examined, nextStart, pluginStates, leftOut } = placement;
  const { namespace = "", name, uid } = pod.metadata;
  return {
    // The Pod itself would be kept in a state that is long gone.
    pod: { metadata: { namespace, name, uid, resourceVersion: "" }, spec: { containers: [] } },
    outcome: withoutTies(outcome),
    nodes,
    refused: [],
    feasible: [],
    scored: noScores,
    examined,
    nextStart,
    pluginStates,
    ...(leftOut === undefined ? {} : { leftOut }),
  };
}

function withoutTies(outcome: PlacementOutcome): PlacementOutcome {
  if (outcome.kind !== "placed" || outcome.by.kind !== "score") return outcome;
  return { ...outcome, by: { ...outcome.by, best: [] } };
}

function toRecord({ decision, summary, table }: Entry, withNodes: boolean): PlacementRecord {
  const { placement } = decision;
  if (table === undefined || !withNodes)
    return { ...toPlacementRecord(decision), summary, nodesOmitted: placement.examined };
  const whole = { ...placement, ...unpackNodes(table.nodes), outcome: table.outcome };
  return toPlacementRecord({ ...decision, placement: whole });
}
