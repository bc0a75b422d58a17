import type { FeatureGates } from "../../api/feature-gates.ts";
import {
  type ExtensionPoint,
  extensionPoints,
  type PluginSetDocument,
  type PluginsDocument,
} from "./configuration-schema.ts";
import type { PluginRegistry, RegisteredPlugin } from "./plugin-registry.ts";

/** The plugins that are enabled at each extension point, in the order in which they run. */
export interface EnabledPlugins {
  readonly at: Readonly<Record<ExtensionPoint, readonly string[]>>;
  /** The weight of each plugin that scores. */
  readonly weights: ReadonlyMap<string, number>;
}

interface Weighted {
  readonly name: string;
  readonly weight?: number;
}

/** Merges the plugins of a profile with the default set, as kube-scheduler does. */
export function mergePlugins(
  document: PluginsDocument,
  registry: PluginRegistry,
  gates: FeatureGates,
): EnabledPlugins {
  const multiPoint = joinDefaults(document.multiPoint ?? {}, registry.defaults(gates));
  const at = Object.fromEntries(
    extensionPoints.map((point) => {
      const capable = multiPoint
        .map(({ name }) => name)
        .filter((name) => registry.find(name)?.points.includes(point) === true);
      return [point, expand(document[point] ?? {}, capable)];
    }),
  ) as Record<ExtensionPoint, readonly string[]>;
  const ofScore = new Map(enabledIn(document.score ?? {}).map(({ name, weight }) => [name, weight]));
  const ofMultiPoint = new Map(multiPoint.map(({ name, weight }) => [name, weight]));
  // A weight of 0 means that none is given.
  const weightOf = (name: string) => ofScore.get(name) || ofMultiPoint.get(name) || 1;
  return { at, weights: new Map(at.score.map((name) => [name, weightOf(name)])) };
}

/** An enabled plugin replaces its default in place; one whose default is disabled goes to the end. */
function joinDefaults(set: PluginSetDocument, defaults: readonly RegisteredPlugin[]): readonly Weighted[] {
  const disabled = disabledIn(set);
  const enabled = enabledIn(set);
  const kept = disabled.has("*") ? [] : defaults.filter(({ name }) => !disabled.has(name));
  const replaced = kept.map((plugin) => enabled.find(({ name }) => name === plugin.name) ?? plugin);
  const added = enabled.filter(({ name }) => !kept.some((plugin) => plugin.name === name));
  return [...replaced, ...added];
}

/** Plugins of multiPoint that the point lists again come first, then the others of multiPoint, then the point's own. */
function expand(set: PluginSetDocument, multiPoint: readonly string[]): readonly string[] {
  const disabled = disabledIn(set);
  const listed = enabledIn(set).map(({ name }) => name);
  const shared = disabled.has("*") ? [] : multiPoint.filter((name) => !disabled.has(name));
  return [
    ...listed.filter((name) => shared.includes(name)),
    ...shared.filter((name) => !listed.includes(name)),
    ...listed.filter((name) => !shared.includes(name)),
  ];
}

function enabledIn({ enabled = [] }: PluginSetDocument): readonly Weighted[] {
  return enabled.map(({ name = "", weight = 0 }) => ({ name, weight }));
}

function disabledIn({ disabled = [] }: PluginSetDocument): ReadonlySet<string> {
  return new Set(disabled.map(({ name = "" }) => name));
}
