import { joinErrors, readParts } from "../../api/documents/read-document.ts";
import { duplicate, type FieldError, forbidden, invalid, required } from "../../api/field-error.ts";
import { isJsonObject, type JsonObject } from "../../api/json.ts";
import type { PluginArgs } from "../../decisions/placement/default-plugins.ts";
import type {
  DecodingContext,
  PluginArgsSpec,
  ValidationResult,
} from "../../decisions/placement/plugin-entry.ts";
import type { ProfileDocument } from "./configuration-schema.ts";
import type { PluginRegistry } from "./plugin-registry.ts";
import { unknownPlugin } from "./validate-plugins.ts";

/** The arguments of every plugin that takes any, by name, out-of-tree plugins included. */
export type ProfileArgs = PluginArgs & Readonly<Record<string, unknown>>;

/** What arguments are decoded with. */
export interface ArgsDecoding {
  readonly path: string;
  readonly context: DecodingContext;
  readonly registry: PluginRegistry;
}

/** Decodes and validates the `pluginConfig` of a profile. */
export function readPluginArgs(
  { pluginConfig = [] }: ProfileDocument,
  decoding: ArgsDecoding,
): ValidationResult & { readonly args: ProfileArgs } {
  const errors: FieldError[] = [];
  const warnings: string[] = [];
  const documents: Record<string, JsonObject> = {};
  const seen = new Set<string>();
  for (const [index, { name = "", args = {} }] of pluginConfig.entries()) {
    const path = `${decoding.path}.pluginConfig[${index}]`;
    if (seen.has(name)) errors.push(duplicate(path, name));
    seen.add(name);
    const read = readArgs(name, args, { ...decoding, path });
    errors.push(...read.errors);
    warnings.push(...read.warnings);
    if (read.args !== undefined) documents[name] = read.args;
  }
  return { args: pluginArgsOf(documents, decoding), errors, warnings };
}

/** The arguments of every plugin that takes any, with defaults for what the documents leave out. */
export function pluginArgsOf(
  documents: Readonly<Record<string, JsonObject>>,
  { context, registry }: Omit<ArgsDecoding, "path">,
): ProfileArgs {
  const args = registry.entries.flatMap((entry) =>
    entry.args === undefined
      ? []
      : [[entry.name, entry.args.setDefaults(documents[entry.name] ?? {}, context)]],
  );
  // Each entry's own `setDefaults` made its arguments.
  return Object.fromEntries(args) as ProfileArgs;
}

type ReadArgs = ValidationResult & { readonly args?: JsonObject };

function readArgs(name: string, value: unknown, { path, context, registry }: ArgsDecoding): ReadArgs {
  const at = `${path}.args`;
  if (name === "") return invalidArgs(required(`${path}.name`));
  if (registry.find(name) === undefined) return invalidArgs(unknownPlugin(name, `${path}.name`, registry));
  const spec = registry.entryOf(name)?.args;
  if (spec === undefined)
    return isEmpty(value) ? noArgs : invalidArgs(forbidden(at, `${name} takes no arguments`));
  if (!isJsonObject(value)) return invalidArgs(invalid(at, value, "has to match plugin args"));
  const { apiVersion: _, kind = `${name}Args`, ...members } = value;
  if (kind !== `${name}Args`) return invalidArgs(invalid(at, kind, "has to match plugin args"));
  return decodeArgs(spec, members, { path: at, context });
}

function decodeArgs(
  spec: PluginArgsSpec,
  members: JsonObject,
  { path, context }: Omit<ArgsDecoding, "registry">,
): ReadArgs {
  const { rest, errors } = readParts(spec.schema, members, path);
  const args = rest as JsonObject; // a schema of arguments is that of an object
  const found = spec.validate?.(args, path, context) ?? noArgs;
  return { args, errors: joinErrors(errors, found.errors), warnings: found.warnings };
}

const noArgs: ReadArgs = { errors: [], warnings: [] };

function invalidArgs(error: FieldError): ReadArgs {
  return { errors: [error], warnings: [] };
}

function isEmpty(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
