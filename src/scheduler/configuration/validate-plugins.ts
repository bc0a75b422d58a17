import { duplicate, type FieldError, forbidden, invalid, notFound, required } from "../../api/field-error.ts";
import {
  type ExtensionPoint,
  extensionPoints,
  type PluginReference,
  type PluginSetDocument,
  type PluginsDocument,
} from "./document-shape.ts";
import type { EnabledPlugins } from "./merge-plugins.ts";
import { findPlugin, isUnimplemented, pluginNames } from "./plugin-registry.ts";

/** What is wrong, and what an operator should know although it is not. */
export interface ValidationResult {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

/** Looks at what a profile wants enabled and disabled. */
export function validatePlugins(wishes: PluginsDocument, path: string): ValidationResult {
  const errors: FieldError[] = [];
  const warnings: string[] = [];
  for (const point of ["multiPoint", ...extensionPoints] as const) {
    const set = wishes[point] ?? {};
    errors.push(...validateEnabled(set, `${path}.${point}.enabled`, point));
    const disabled = validateDisabled(set, `${path}.${point}.disabled`);
    errors.push(...disabled.errors);
    warnings.push(...disabled.warnings);
  }
  return { errors, warnings };
}

function validateEnabled(
  { enabled = [] }: PluginSetDocument,
  path: string,
  point: ExtensionPoint | "multiPoint",
): readonly FieldError[] {
  return enabled.flatMap(({ name = "", weight = 0 }, index) => {
    const at = `${path}[${index}]`;
    const earlier = enabled.slice(0, index).some((other) => other.name === name);
    return [
      ...validateName(name, `${at}.name`, point),
      ...(earlier ? [duplicate(`${at}.name`, name)] : []),
      ...(weight < 0 ? [invalid(`${at}.weight`, weight, "must not be negative")] : []),
    ];
  });
}

function validateName(
  name: string,
  path: string,
  point: ExtensionPoint | "multiPoint",
): readonly FieldError[] {
  if (name === "") return [required(path)];
  const plugin = findPlugin(name);
  if (plugin === undefined) return [unknownPlugin(name, path)];
  if (point === "multiPoint" || plugin.points.includes(point)) return [];
  return [invalid(path, name, `does not work at ${point}, only at ${plugin.points.join(", ")}`)];
}

/** Of a plugin that cannot be used here, and why. */
export function unknownPlugin(name: string, path: string): FieldError {
  return isUnimplemented(name)
    ? forbidden(path, `plugin ${name} of Kubernetes is not supported`)
    : notFound(path, name, `no plugin has this name; there are ${pluginNames.join(", ")}`);
}

function validateDisabled({ disabled = [] }: PluginSetDocument, path: string): ValidationResult {
  const unnamed = disabled.flatMap(({ name = "" }, index) =>
    name === "" ? [required(`${path}[${index}].name`)] : [],
  );
  return { errors: unnamed, warnings: disabled.flatMap((entry, index) => noted(entry, `${path}[${index}]`)) };
}

function noted({ name = "" }: PluginReference, path: string): readonly string[] {
  if (name === "" || name === "*" || findPlugin(name) !== undefined) return [];
  return isUnimplemented(name)
    ? [`${path}: plugin ${name} of Kubernetes is not supported, so there is nothing to disable`]
    : [`${path}: no plugin is named ${name}, so there is nothing to disable`];
}

/** Pairs of points that plugins work at together: the first prepares what the second needs. */
const pairs = [
  ["preFilter", "filter"],
  ["preScore", "score"],
] as const;

/** Looks at what a profile ends up with. */
export function validateEnabledPlugins({ at }: EnabledPlugins, path: string): readonly FieldError[] {
  const unprepared = pairs.flatMap(([first, second]) =>
    at[second]
      .filter((name) => findPlugin(name)?.points.includes(first) === true && !at[first].includes(name))
      .map((name) =>
        invalid(`${path}.${second}`, name, `cannot work without ${first}: disable both or none`),
      ),
  );
  return [
    ...unprepared,
    ...(at.queueSort.length === 1
      ? []
      : [invalid(`${path}.queueSort`, at.queueSort, "exactly one queue sort plugin has to be enabled")]),
    ...(at.bind.length > 0 ? [] : [required(`${path}.bind`, "at least one bind plugin has to be enabled")]),
  ];
}
