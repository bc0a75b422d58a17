import { formatFieldError } from "../../api/field-error.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { ClusterOptions } from "../cluster-options.ts";
import { mostNodes, mostZones, nodeGroupErrors } from "../node-groups/node-group-errors.ts";
import { speeds } from "../time-endpoint.ts";
import { type EmbeddedGates, gateProblems } from "./embedding-gates.ts";
import { isObject, unknownNames } from "./option-problems.ts";

/** Where an embedded cluster is reached over HTTPS, besides by its client. */
export interface HttpsOptions {
  /** On 127.0.0.1; absent or 0: any free port. */
  readonly port?: number;
  /** The context, cluster and user in the kubeconfig; absent: `trimtab`. */
  readonly context?: string;
}

/** The options of an embedded cluster, all of which may be absent. */
export interface EmbeddedClusterOptions extends Omit<
  ClusterOptions,
  "clock" | "random" | "gates" | "fixedTime" | "removalProfile"
> {
  /** Feature gates of all components, and of single ones on top of those: so version skew can be tested. */
  readonly gates?: EmbeddedGates;
  /**
   * `wall`, the default: an `AdjustableClock`, which may be paused, sped up and advanced. `virtual`: nothing happens except
   * while the clock is told to `advance`. Or a clock of one's own.
   */
  readonly clock?: "wall" | "virtual" | Clock;
  /** How many times faster than the wall clock time passes; 1 unless said otherwise. */
  readonly speed?: number;
  /** Where all random numbers come from, UIDs among them; absent: the system. */
  readonly seed?: string | number;
  readonly random?: ClusterOptions["random"];
  /** Absent or `false`: the cluster is reached in this process only, and starts faster. */
  readonly https?: boolean | HttpsOptions;
  /** A folder that keeps the cluster, which no other may use; absent: memory. */
  readonly dataDir?: string;
  /** How much memory superseded and deleted objects may take, which watches and lists of older revisions need. */
  readonly maxHistoryBytes?: number;
}

const known = {
  authority: true,
  clock: true,
  componentOverrides: true,
  dataDir: true,
  debugAction: true,
  decisions: true,
  extraComponents: true,
  gates: true,
  heap: true,
  https: true,
  log: true,
  maxHistoryBytes: true,
  metrics: true,
  metricsText: true,
  nodes: true,
  pickerConnector: true,
  random: true,
  schedulerConfig: true,
  seed: true,
  speed: true,
  store: true,
  token: true,
  version: true,
  webhooks: true,
  without: true,
  zones: true,
} satisfies Record<keyof EmbeddedClusterOptions, true>;

/** Every mistake in the options, one sentence each. Programs without types pass anything. */
export function optionProblems(options: EmbeddedClusterOptions): readonly string[] {
  return [
    ...unknownNames(options, Object.keys(known), "option"),
    ...nodeProblems(options.nodes),
    ...numberProblems("zones", options.zones, { least: 1, most: mostZones, isWhole: true }),
    ...numberProblems("speed", options.speed, speeds),
    ...clockProblems(options),
    ...gateProblems(options.gates),
    ...httpsProblems(options.https),
    ...storageProblems(options),
  ];
}

function nodeProblems(nodes: unknown): readonly string[] {
  if (!Array.isArray(nodes))
    return numberProblems("nodes", nodes, { least: 0, most: mostNodes, isWhole: true });
  return nodeGroupErrors(nodes, "nodes").map(formatFieldError);
}

interface Range {
  readonly least: number;
  readonly most: number;
  readonly isWhole?: boolean;
}

function numberProblems(name: string, value: unknown, { least, most, isWhole = false }: Range) {
  if (value === undefined) return [];
  const isWithin =
    typeof value === "number" && value >= least && value <= most && (!isWhole || Number.isInteger(value));
  return isWithin ? [] : [`${name} must be a ${isWhole ? "whole " : ""}number from ${least} to ${most}`];
}

function clockProblems({ clock, speed, seed, random }: EmbeddedClusterOptions): readonly string[] {
  return [
    ...(isClock(clock) ? [] : ['clock must be "wall", "virtual" or a Clock']),
    ...(speed !== undefined && clock !== undefined && clock !== "wall"
      ? ['speed needs clock "wall": a virtual clock jumps, and a clock of your own has its own speed']
      : []),
    ...(seed !== undefined && random !== undefined ? ["seed and random exclude each other"] : []),
  ];
}

function isClock(clock: unknown): boolean {
  if (clock === undefined || clock === "wall" || clock === "virtual") return true;
  return typeof clock === "object" && clock !== null && "now" in clock && "after" in clock;
}

function httpsProblems(https: EmbeddedClusterOptions["https"]): readonly string[] {
  if (https === undefined || typeof https === "boolean") return [];
  if (!isObject(https)) return ["https must be true, false or an object with port and context"];
  return [
    ...unknownNames(https, ["port", "context"], "option of https"),
    ...numberProblems("https.port", https.port, { least: 0, most: 65_535, isWhole: true }),
  ];
}

function storageProblems({ dataDir, clock, speed, store }: EmbeddedClusterOptions): readonly string[] {
  if (dataDir === undefined) return [];
  return [
    ...(typeof dataDir === "string" && dataDir !== "" ? [] : ["dataDir must name a folder"]),
    ...(store === undefined ? [] : ["dataDir and store exclude each other"]),
    ...(clock === "virtual" || (speed !== undefined && speed !== 1)
      ? [`dataDir needs wall time: ${timeOfKept}`]
      : []),
  ];
}

/** Why the time of a cluster with a data directory is that of the wall clock. */
export const timeOfKept =
  "after a restart the clock would be behind the timestamps that its data directory keeps";
