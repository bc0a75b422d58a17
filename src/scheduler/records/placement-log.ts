import type { Instant } from "../../api/time.ts";
import {
  type ComparedNodes,
  describeBest,
  placementSummary,
} from "../../decisions/explain/placement-reason.ts";
import {
  type PlacementDecision,
  type PlacementRecord,
  toPlacementRecord,
} from "../../decisions/explain/placement-record.ts";
import type { Placement, PlacementOutcome } from "../../decisions/placement/place-pod.ts";
import { RefusedNodeList } from "../../decisions/placement/refused-nodes.ts";
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

/** The last attempt to place a Pod, in few objects, since there is one for every living Pod. */
interface Entry {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly at: Instant;
  readonly profile: string;
  readonly attempt: number;
  readonly preemption: string | undefined;
  readonly outcome: KeptOutcome;
  readonly nodes: number;
  readonly examined: number;
  readonly nextStart: number;
  readonly leftOut: Placement["leftOut"];
  readonly pluginStates: Placement["pluginStates"];
  /** Present for the latest placements only. */
  table: PackedNodes | undefined;
  isGone: boolean;
}

type KeptOutcome =
  /** Without the names of the nodes that were as good as the chosen one; its summary is written when it is read. */
  | ({ readonly kind: "scored"; readonly node: string; readonly total: number } & ComparedNodes)
  | { readonly kind: "other"; readonly outcome: PlacementOutcome; readonly summary: string };

/**
 * The last placement of every living Pod: a few numbers for each, and the table of all nodes for the latest. Records are
 * made when they are read, which most never are.
 */
export class PlacementLog {
  /** By UID of the Pod, oldest first. */
  readonly #entries = new Map<string, Entry>();
  /** The UIDs of the Pods whose placement has a table, oldest first. */
  readonly #tables = new Set<string>();
  /** Tables of placements that are no longer among the latest, for reuse. */
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
    this.#entries.set(uid, entryOf(decision, this.#sharedStates(placement), table));
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
      .filter(
        (entry) =>
          (namespace === "" || entry.namespace === namespace) && (name === "" || entry.name === name),
      )
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

function entryOf(
  { placement, at, profile, attempt, preemption }: PlacementDecision,
  pluginStates: Placement["pluginStates"],
  table: PackedNodes,
): Entry {
  const { nodes, examined, nextStart, leftOut } = placement;
  // Not the Pod itself, which would keep an outdated object in memory.
  const { namespace = "", name, uid } = placement.pod.metadata;
  const outcome = keptOutcome(placement);
  return {
    namespace,
    name,
    uid,
    at,
    profile,
    attempt,
    preemption,
    outcome,
    nodes,
    examined,
    nextStart,
    leftOut,
    pluginStates,
    table,
    isGone: false,
  };
}

function keptOutcome(placement: Placement): KeptOutcome {
  const { outcome, feasible } = placement;
  if (outcome.kind !== "placed" || outcome.by.kind !== "score")
    return { kind: "other", outcome, summary: placementSummary(placement) };
  const { node, by } = outcome;
  return { kind: "scored", node, total: by.total, compared: feasible.length, ties: by.best.length };
}

function outcomeOf(kept: KeptOutcome): PlacementOutcome {
  if (kept.kind === "other") return kept.outcome;
  const { node, total } = kept;
  return { kind: "placed", node, by: { kind: "score", total, best: [] } };
}

function summaryOf(kept: KeptOutcome): string {
  return kept.kind === "other" ? kept.summary : describeBest(kept.node, kept.total, kept);
}

const noneRefused = new RefusedNodeList();
const noContainers: Placement["pod"]["spec"] = { containers: [] };

/** The decision as it was made, but for its nodes. */
function decisionOf(entry: Entry): PlacementDecision {
  const { namespace, name, uid, at, profile, attempt, preemption, leftOut } = entry;
  const { nodes, examined, nextStart, pluginStates } = entry;
  const placement: Placement = {
    pod: { metadata: { namespace, name, uid, resourceVersion: "" }, spec: noContainers },
    outcome: outcomeOf(entry.outcome),
    nodes,
    refused: noneRefused,
    feasible: [],
    scored: noScores,
    examined,
    nextStart,
    pluginStates,
    ...(leftOut === undefined ? {} : { leftOut }),
  };
  return { placement, at, profile, attempt, ...(preemption === undefined ? {} : { preemption }) };
}

function toRecord(entry: Entry, withNodes: boolean): PlacementRecord {
  const { table, outcome, examined } = entry;
  const decision = decisionOf(entry);
  const { placement } = decision;
  if (table === undefined || !withNodes)
    return { ...toPlacementRecord(decision), summary: summaryOf(outcome), nodesOmitted: examined };
  const whole = { ...placement, ...table.unpack(placement.outcome) };
  return toPlacementRecord({ ...decision, placement: whole });
}
