import { placementSummary } from "../../decisions/explain/placement-reason.ts";
import {
  type PlacementDecision,
  type PlacementRecord,
  toPlacementRecord,
} from "../../decisions/explain/placement-record.ts";
import type { Placement, PlacementOutcome } from "../../decisions/placement/place-pod.ts";
import { RefusedNodes } from "../../decisions/placement/refused-nodes.ts";
import { noScores } from "../../decisions/placement/score-nodes.ts";
import type { DecisionQuery } from "../../machinery/diagnostics/decision-log.ts";
import { PackedNodes } from "./packed-placement.ts";

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
  table: PackedNodes | undefined;
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
  /** Tables of placements that are not among the latest any more: they are filled again. */
  readonly #spare: PackedNodes[] = [];
  #states: Placement["pluginStates"] = new Map();

  get size(): number {
    return this.#entries.size;
  }

  add(decision: PlacementDecision): void {
    const { placement } = decision;
    const { uid } = placement.pod.metadata;
    this.#discard(uid);
    if (this.#tables.size >= maxTables) this.#dropOldestTable();
    const table = this.#spare.pop() ?? new PackedNodes();
    table.fill(placement);
    this.#entries.set(uid, {
      decision: { ...decision, placement: withoutNodes(placement, this.#sharedStates(placement)) },
      summary: placementSummary(placement),
      table,
      isGone: false,
    });
    this.#tables.add(uid);
  }

  /** Forgets the placement of a Pod that is gone, as soon as it is not among the latest. */
  forget(uid: string): void {
    const entry = this.#entries.get(uid);
    if (entry === undefined) return;
    if (entry.table === undefined) this.#discard(uid);
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
    const entry = this.#entries.get(oldest);
    if (entry?.isGone === true) return this.#discard(oldest);
    this.#tables.delete(oldest);
    if (entry?.table === undefined) return;
    this.#spare.push(entry.table);
    entry.table = undefined;
  }

  /** Removes the entry of a Pod. */
  #discard(uid: string): void {
    const entry = this.#entries.get(uid);
    if (entry === undefined) return;
    this.#entries.delete(uid);
    this.#tables.delete(uid);
    if (entry.table !== undefined) this.#spare.push(entry.table);
  }

  /** Pods of one workload are placed one after the other, by the same constraints. */
  #sharedStates({ pluginStates }: Placement): Placement["pluginStates"] {
    const known = this.#states;
    const isSame =
      known.size === pluginStates.size &&
      [...pluginStates].every(([plugin, state]) => known.get(plugin) === state);
    if (!isSame) this.#states = pluginStates;
    return this.#states;
  }
}

const noneRefused = new RefusedNodes();
const noContainers: Placement["pod"]["spec"] = { containers: [] };

function withoutNodes(placement: Placement, pluginStates: Placement["pluginStates"]): Placement {
  const { pod, outcome, nodes, examined, nextStart, leftOut } = placement;
  const { namespace = "", name, uid } = pod.metadata;
  return {
    // The Pod itself would be kept in a state that is long gone.
    pod: { metadata: { namespace, name, uid, resourceVersion: "" }, spec: noContainers },
    outcome: withoutTies(outcome),
    nodes,
    refused: noneRefused,
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
  const whole = { ...placement, ...table.unpack(placement.outcome) };
  return toPlacementRecord({ ...decision, placement: whole });
}
