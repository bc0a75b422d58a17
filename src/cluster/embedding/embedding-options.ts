import {
  anything,
  type DocumentSchema,
  either,
  flag,
  integer,
  number,
  record,
  text,
} from "../../api/documents/document-schema.ts";
import { type FieldError, forbidden, invalid } from "../../api/field-error.ts";
import { isJsonObject } from "../../api/json.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { ClusterOptions } from "../cluster-options.ts";
import { mostZones, nodesSchema } from "../node-groups/node-group-schema.ts";
import { speeds } from "../time-endpoint.ts";
import { type EmbeddedGates, embeddedGatesSchema } from "./embedding-gates.ts";

/** How an embedded cluster is served over HTTPS, in addition to its in-process client. */
export interface HttpsOptions {
  /** On 127.0.0.1; absent or 0: any free port. */
  readonly port?: number;
  /** The context, cluster and user in the kubeconfig; absent: `trimtab`. */
  readonly context?: string;
}

/** The options of an embedded cluster that its users set, all of which may be absent. */
export interface EmbeddedClusterOptions extends Partial<
  Pick<
    ClusterOptions,
    | "nodes"
    | "zones"
    | "random"
    | "log"
    | "metrics"
    | "authority"
    | "token"
    | "store"
    | "without"
    | "extraComponents"
    | "schedulerConfig"
    | "pickerConnector"
    | "webhooks"
    | "extensionServers"
    | "conversions"
  >
> {
  /**
   * Feature gates of all components, and of single components, which override them, so that version skew can be tested.
   */
  readonly gates?: EmbeddedGates;
  /**
   * `wall`, the default: an `AdjustableClock`, which may be paused, sped up and advanced. `virtual`: nothing happens
   * except while the clock is told to `advance`. Or a clock of your own.
   */
  readonly clock?: "wall" | "virtual" | Clock;
  /** How many times faster than the wall clock time passes; 1 by default. */
  readonly speed?: number;
  /** Where all random numbers come from, UIDs among them; absent: the system. */
  readonly seed?: string | number;
  /** Absent or `false`: the cluster is reached in this process only, and starts faster. */
  readonly https?: boolean | HttpsOptions;
  /**
   * A folder that stores the cluster, which only one cluster may use at a time; absent: the cluster is kept in memory.
   */
  readonly dataDir?: string;
  /**
   * Objects that are created in their order before the cluster is ready, such as CustomResourceDefinitions and objects of
   * the kinds that they define; those that a data directory already has stay as they are.
   */
  readonly manifests?: readonly object[];
}

/** What the program around an embedded cluster adds to the user's options. Only our own commands set it; it is not published. */
export interface ProgramOptions extends Pick<
  ClusterOptions,
  "debugAction" | "heap" | "metricsText" | "outsideRequests" | "version"
> {
  /** How much memory superseded and deleted objects may take, which watches and lists of older revisions need. */
  readonly maxHistoryBytes?: number;
}

/** An option whose value only the compiler checks. */
const passed = anything("Passed on as it is.");

const https = record("Where the API server listens.", {
  port: integer("On 127.0.0.1; 0: any free port.", [0, 65_535]),
  context: text("The context in the kubeconfig."),
});

const options: Readonly<Record<keyof EmbeddedClusterOptions, DocumentSchema>> = {
  authority: passed,
  clock: anything("The clock.", { check: clockErrors }),
  conversions: passed,
  dataDir: text("A folder.", { errorMessage: "must name a folder" }),
  extensionServers: passed,
  extraComponents: passed,
  gates: embeddedGatesSchema,
  https: either("HTTPS.", "must be true, false or an object with port and context", [
    flag("Whether the API server listens."),
    https,
  ]),
  log: passed,
  manifests: anything("Objects to create at the start.", { check: manifestErrors }),
  metrics: passed,
  nodes: nodesSchema("The simulated nodes."),
  pickerConnector: passed,
  random: passed,
  schedulerConfig: passed,
  seed: passed,
  speed: number("How fast time passes.", { minimum: speeds.least, maximum: speeds.most }),
  store: passed,
  token: passed,
  webhooks: passed,
  without: passed,
  zones: integer("How many zones the nodes are in.", [1, mostZones]),
};

/** The schema of the options. Programs without types may pass anything. */
export const embeddingSchema = record("The options of an embedded cluster.", options, {
  check: optionErrors,
}) as DocumentSchema<EmbeddedClusterOptions>;

function clockErrors(clock: unknown, path: string): readonly FieldError[] {
  const isClock = isJsonObject(clock) && "now" in clock && "after" in clock;
  return isClock || clock === "wall" || clock === "virtual"
    ? []
    : [invalid(path, clock, 'must be "wall", "virtual" or a Clock')];
}

function manifestErrors(manifests: unknown, path: string): readonly FieldError[] {
  return Array.isArray(manifests) && manifests.every(isJsonObject)
    ? []
    : [invalid(path, undefined, "must be a list of objects")];
}

type Given = Readonly<Partial<Record<keyof EmbeddedClusterOptions, unknown>>>;

const ownSpeed = 'needs clock "wall": a virtual clock jumps, and a clock of your own has its own speed';

/** Returns an error for each pair of options that exclude each other. */
function optionErrors(given: Given): readonly FieldError[] {
  const { clock = "wall", speed, dataDir } = given;
  const isPaced = speed !== undefined && speed !== 1;
  return [
    ...(speed !== undefined && clock !== "wall" ? [forbidden("speed", ownSpeed)] : []),
    ...excluding(given, "seed", "random"),
    ...excluding(given, "dataDir", "store"),
    ...(dataDir !== undefined && (isPaced || clock === "virtual")
      ? [forbidden("dataDir", `needs wall time: ${timeOfKept}`)]
      : []),
  ];
}

function excluding(given: Given, first: keyof Given, second: keyof Given): readonly FieldError[] {
  return given[first] === undefined || given[second] === undefined
    ? []
    : [forbidden(second, `may not be there together with ${first}`)];
}

/** Says why a cluster with a data directory has to run in wall time. */
export const timeOfKept =
  "after a restart the clock would be behind the timestamps that its data directory keeps";
