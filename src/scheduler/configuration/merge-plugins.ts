import {
  type ExtensionPoint,
  extensionPoints,
  type PluginSetDocument,
  type PluginsDocument,
} from "./document-shape.ts";
import { type RegisteredPlugin, findPlugin } from "./plugin-registry.ts";

/** Which plugins work at each extension point, in the order they are asked. */
export interface EnabledPlugins {
  readonly at: Readonly<Record<ExtensionPoint, readonly string[]>>;
  /** What the score of a plugin is multiplied with, for those that score. */
  readonly weights: ReadonlyMap<string, number>;
}

interface Weighted {
  readonly name: string;
  readonly weight: number;
}

/** Joins a profile's wishes with the default set, as Kubernetes does. */
export function mergePlugins(wishes: PluginsDocument, defaults: readonly RegisteredPlugin[]): EnabledPlugins {
  const everywhere = joinDefaults(wishes.multiPoint ?? {}, defaults);
  const at = Object.fromEntries(
    extensionPoints.map((point) => [point, expand(point, wishes[point] ?? {}, everywhere)]),
  ) as Record<ExtensionPoint, readonly string[]>;
  const own = new Map(enabledIn(wishes.score ?? {}).map(({ name, weight }) => [name, weight]));
  const shared = new Map(everywhere.map(({ name, weight }) => [name, weight]));
  // A weight of 0 is as good as none at all.
  const weightOf = (name: string) => own.get(name) || shared.get(name) || 1;
  return { at, weights: new Map(at.score.map((name) => [name, weightOf(name)])) };
}

/** A plugin named again takes its default's place; one that was disabled first goes to the end. */
function joinDefaults(set: PluginSetDocument, defaults: readonly RegisteredPlugin[]): readonly Weighted[] {
  const disabled = disabledIn(set);
  const wanted = enabledIn(set);
  const kept = disabled.has("*") ? [] : defaults.filter(({ name }) => !disabled.has(name));
  const replaced = kept.map((plugin) => wanted.find(({ name }) => name === plugin.name) ?? plugin);
  const added = wanted.filter(({ name }) => !kept.some((plugin) => plugin.name === name));
  return [...replaced, ...added];
}

/** Plugins that are everywhere come before those of the point alone, and those listed again first of all. */
function expand(
  point: ExtensionPoint,
  set: PluginSetDocument,
  everywhere: readonly Weighted[],
): readonly string[] {
  const disabled = disabledIn(set);
  const listed = enabledIn(set).map(({ name }) => name);
  const shared = disabled.has("*")
    ? []
    : everywhere
        .map(({ name }) => name)
        .filter((name) => !disabled.has(name) && findPlugin(name)?.points.includes(point) === true);
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
