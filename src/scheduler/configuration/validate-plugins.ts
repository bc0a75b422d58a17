import { duplicate, type FieldError, forbidden, invalid, notFound, required } from "../../api/field-error.ts";
import type { ValidationResult } from "../../decisions/placement/plugin-entry.ts";
import {
  type ExtensionPoint,
  extensionPoints,
  type PluginReference,
  type PluginSetDocument,
  type PluginsDocument,
} from "./configuration-schema.ts";
import type { EnabledPlugins } from "./merge-plugins.ts";
import { isUnimplemented, type PluginRegistry } from "./plugin-registry.ts";

/** Validates the plugins that a profile enables and disables. */
export function validatePlugins(
  document: PluginsDocument,
  path: string,
  registry: PluginRegistry,
): ValidationResult {
  const errors: FieldError[] = [];
  const warnings: string[] = [];
  for (const point of ["multiPoint", ...extensionPoints] as const) {
    const { enabled = [], disabled = [] }: PluginSetDocument = document[point] ?? {};
    const unfit = (name: string, at: string) => unfitPlugin(name, at, { point, registry });
    errors.push(...validateEnabled(enabled, `${path}.${point}.enabled`, unfit));
    for (const [index, { name = "" }] of disabled.entries()) {
      const at = `${path}.${point}.disabled[${index}]`;
      if (name === "") errors.push(required(`${at}.name`));
      else warnings.push(...disabledInVain(name, at, registry));
    }
  }
  return { errors, warnings };
}

function validateEnabled(
  enabled: readonly PluginReference[],
  path: string,
  unfit: (name: string, path: string) => readonly FieldError[],
): readonly FieldError[] {
  const seen = new Set<string>();
  return enabled.flatMap(({ name = "", weight = 0 }, index) => {
    const at = `${path}[${index}]`;
    const isRepeated = seen.has(name);
    seen.add(name);
    return [
      ...unfit(name, `${at}.name`),
      ...(isRepeated ? [duplicate(`${at}.name`, name)] : []),
      ...(weight < 0 ? [invalid(`${at}.weight`, weight, "must not be negative")] : []),
    ];
  });
}

interface PointContext {
  readonly point: ExtensionPoint | "multiPoint";
  readonly registry: PluginRegistry;
}

/** The error of a plugin that cannot be enabled at a point, if it cannot. */
function unfitPlugin(name: string, path: string, { point, registry }: PointContext): readonly FieldError[] {
  if (name === "") return [required(path)];
  const plugin = registry.find(name);
  if (plugin === undefined) return [unknownPlugin(name, path, registry)];
  if (point === "multiPoint" || plugin.points.includes(point)) return [];
  return [invalid(path, name, `does not work at ${point}, only at ${plugin.points.join(", ")}`)];
}

/** The error of a plugin that is not in the registry. */
export function unknownPlugin(name: string, path: string, { names }: PluginRegistry): FieldError {
  return isUnimplemented(name)
    ? forbidden(path, `plugin ${name} of Kubernetes is not supported`)
    : notFound(path, name, `no plugin has this name; there are ${names.join(", ")}`);
}

/** A warning for a disabled plugin that does not exist. */
function disabledInVain(name: string, path: string, registry: PluginRegistry): readonly string[] {
  if (name === "*" || registry.find(name) !== undefined) return [];
  return isUnimplemented(name)
    ? [`${path}: plugin ${name} of Kubernetes is not supported, so there is nothing to disable`]
    : [`${path}: no plugin is named ${name}, so there is nothing to disable`];
}

/** Pairs of extension points that belong together: the first prepares what the second needs. */
const pairs = [
  ["preFilter", "filter"],
  ["preScore", "score"],
] as const;

/** Validates the plugins of a profile after they are merged with the default set. */
export function validateEnabledPlugins(
  { at }: EnabledPlugins,
  path: string,
  registry: PluginRegistry,
): readonly FieldError[] {
  const unprepared = pairs.flatMap(([first, second]) =>
    at[second]
      .filter((name) => registry.find(name)?.points.includes(first) === true && !at[first].includes(name))
      .map((name) => invalid(`${path}.${second}`, name, `cannot work without ${first}: enable both or none`)),
  );
  return [
    ...unprepared,
    ...(at.queueSort.length === 1
      ? []
      : [invalid(`${path}.queueSort`, at.queueSort, "exactly one queue sort plugin has to be enabled")]),
    ...(at.bind.length > 0 ? [] : [required(`${path}.bind`, "at least one bind plugin has to be enabled")]),
  ];
}
