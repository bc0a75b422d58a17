import type { DocumentSchema } from "../../api/documents/document-schema.ts";
import type { FeatureGates } from "../../api/feature-gates.ts";
import type { FieldError } from "../../api/field-error.ts";
import type { JsonObject } from "../../api/json.ts";
import type { Plugin } from "./plugin.ts";
import type { QueueingHints } from "./cluster-event.ts";

/** The extension points at which a plugin can reject a Pod. */
type RejectingPoint = "preEnqueue" | "preFilter" | "filter";
/** Those at which it cannot. */
type HarmlessPoint = "postFilter" | "preScore" | "score";

/** The extension points of placement, as a configuration file names them. */
export type PlacementPoint = RejectingPoint | HarmlessPoint;

/**
 * What the scheduler has to know about a plugin in order to configure and run it. A plugin that can reject a Pod has to
 * say which events may make that Pod schedulable, or the Pod would wait for no event at all.
 */
export type PluginEntry<Args = unknown> = EntryBase<Args> &
  (
    | { readonly points: readonly HarmlessPoint[]; readonly hints?: undefined }
    | {
        readonly points: readonly PlacementPoint[];
        /** The queueing hints of the plugin with these arguments. */
        hints(args: Args): QueueingHints;
      }
  );

// `create` and `hints` are methods, so that entries with arguments of different types fit into one registry. Arguments
// reach an entry only through its own `args`.
interface EntryBase<Args> {
  readonly name: string;
  /** The weight of its scores in the default set; 1 when absent. */
  readonly weight?: number;
  /** Makes the plugin. Without `args`, `args` is an empty object. */
  create(args: Args): Plugin;
  /** How its arguments are read from a configuration file; without it, the plugin takes none. */
  readonly args?: PluginArgsSpec<Args>;
  /** Whether an in-tree plugin is in the default set; absent: it is. */
  readonly isDefault?: (gates: FeatureGates) => boolean;
}

/** How the arguments of a plugin are read from the `pluginConfig` of a configuration file. */
export interface PluginArgsSpec<Args = unknown> {
  /** The form of the arguments: unknown members and values of a wrong type are reported by it. */
  readonly schema: DocumentSchema;
  /** Fills in what the file leaves out. The arguments have the right types, and may be invalid all the same. */
  setDefaults(document: JsonObject, context: DecodingContext): Args;
  /** Finds what is wrong with arguments of the right types. */
  validate?(document: JsonObject, path: string, context: DecodingContext): ValidationResult;
}

/** What the meaning of a configuration file depends on besides its text. */
export interface DecodingContext {
  /**
   * In v1beta1 a list of default constraints means that list, and an empty one none at all, as KEP-1258 has it. In v1
   * only `defaultingType` says so.
   */
  readonly isV1beta1: boolean;
  readonly gates: FeatureGates;
}

/** What is wrong with a configuration, and what an operator should know although it is valid. */
export interface ValidationResult {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

/** The arguments of a plugin that no configuration file gives any. */
export function defaultArgs(entry: PluginEntry, context: DecodingContext): unknown {
  return entry.args?.setDefaults({}, context) ?? {};
}

/** A plugin and the weight of its scores. */
export interface WeightedPlugin {
  readonly plugin: Plugin;
  readonly weight: number;
}

/** The plugins of a placement, in the order in which they run. */
export interface PluginSet {
  /** The plugins that may reject nodes; a rejected node is attributed to the first of them that rejects it. */
  readonly filters: readonly Plugin[];
  readonly scorers: readonly WeightedPlugin[];
}

/** A set in which every plugin filters and scores as far as it can. */
export function pluginSetOf(plugins: readonly WeightedPlugin[]): PluginSet {
  return { filters: plugins.map(({ plugin }) => plugin), scorers: plugins };
}
