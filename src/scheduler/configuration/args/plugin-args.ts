import { duplicate, type FieldError, forbidden, invalid, required } from "../../../api/field-error.ts";
import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import type { PluginArgs } from "../../../decisions/placement/default-plugins.ts";
import { decodeDocument, joinErrors } from "../decode-document.ts";
import type { DecodingContext } from "../decoding-context.ts";
import type { DocumentShape, ProfileDocument } from "../document-shape.ts";
import { findPlugin } from "../plugin-registry.ts";
import { type ValidationResult, unknownPlugin } from "../validate-plugins.ts";
import {
  interPodAffinityArgsShape,
  nodeAffinityArgsShape,
  validateInterPodAffinityArgs,
  validateNodeAffinityArgs,
} from "./affinity-args.ts";
import { defaultSpreadArgs, spreadArgsShape, validateSpreadArgs } from "./pod-topology-spread-args.ts";
import {
  balancedAllocationArgsShape,
  defaultBalancedAllocationArgs,
  defaultFitArgs,
  fitArgsShape,
  validateBalancedAllocationArgs,
  validateFitArgs,
} from "./resource-args.ts";

type WithArgs = keyof PluginArgs;

/** How the arguments of one plugin are read. */
interface ArgsReader {
  readonly shape: DocumentShape;
  readonly validate: (args: JsonObject, path: string, dialect: DecodingContext) => ValidationResult;
}

const onlyErrors =
  (validate: (args: JsonObject, path: string) => readonly FieldError[]): ArgsReader["validate"] =>
  (args, path) => ({ errors: validate(args, path), warnings: [] });

const readers: Readonly<Record<WithArgs, ArgsReader>> = {
  PodTopologySpread: { shape: spreadArgsShape, validate: validateSpreadArgs },
  NodeResourcesFit: { shape: fitArgsShape, validate: onlyErrors(validateFitArgs) },
  NodeResourcesBalancedAllocation: {
    shape: balancedAllocationArgsShape,
    validate: onlyErrors(validateBalancedAllocationArgs),
  },
  NodeAffinity: { shape: nodeAffinityArgsShape, validate: onlyErrors(validateNodeAffinityArgs) },
  InterPodAffinity: {
    shape: interPodAffinityArgsShape,
    validate: onlyErrors(validateInterPodAffinityArgs),
  },
};

/** Arguments as written, of the right types, by plugin. */
type ArgsDocuments = { readonly [Name in WithArgs]?: JsonObject };

/** Reads and looks at what a profile gives its plugins. */
export function readPluginArgs(
  { pluginConfig = [] }: ProfileDocument,
  path: string,
  dialect: DecodingContext,
): ValidationResult & { readonly args: PluginArgs } {
  const errors: FieldError[] = [];
  const warnings: string[] = [];
  const documents: Record<string, JsonObject> = {};
  for (const [index, { name = "", args = {} }] of pluginConfig.entries()) {
    const at = `${path}.pluginConfig[${index}]`;
    if (pluginConfig.slice(0, index).some((other) => other.name === name)) errors.push(duplicate(at, name));
    const read = readArgs(name, args, { path: at, dialect });
    errors.push(...read.errors);
    warnings.push(...read.warnings);
    if (read.args !== undefined) documents[name] = read.args;
  }
  return { args: defaultPluginArgs(documents, dialect), errors, warnings };
}

/** The arguments of every plugin when only these were given. */
export function defaultPluginArgs(documents: ArgsDocuments, dialect: DecodingContext): PluginArgs {
  return {
    PodTopologySpread: defaultSpreadArgs(documents.PodTopologySpread ?? {}, dialect),
    NodeResourcesFit: defaultFitArgs(documents.NodeResourcesFit ?? {}),
    NodeResourcesBalancedAllocation: defaultBalancedAllocationArgs(
      documents.NodeResourcesBalancedAllocation ?? {},
    ),
    NodeAffinity: documents.NodeAffinity ?? {},
    InterPodAffinity: documents.InterPodAffinity ?? {},
  };
}

type ReadArgs = ValidationResult & { readonly args?: JsonObject };

function readArgs(
  name: string,
  value: unknown,
  { path, dialect }: { readonly path: string; readonly dialect: DecodingContext },
): ReadArgs {
  const at = `${path}.args`;
  if (name === "") return refused(required(`${path}.name`));
  if (findPlugin(name) === undefined) return refused(unknownPlugin(name, `${path}.name`));
  if (!isWithArgs(name))
    return isEmpty(value) ? nothing : refused(forbidden(at, `${name} takes no arguments`));
  if (!isJsonObject(value)) return refused(invalid(at, value, "has to match plugin args"));
  const { apiVersion: _, kind = `${name}Args`, ...members } = value;
  if (kind !== `${name}Args`) return refused(invalid(at, kind, "has to match plugin args"));
  return decodeArgs(name, members, { path: at, dialect });
}

function decodeArgs(
  name: WithArgs,
  members: JsonObject,
  { path, dialect }: { readonly path: string; readonly dialect: DecodingContext },
): ReadArgs {
  const errors: FieldError[] = [];
  const args = decodeDocument(readers[name].shape, members, { path, errors }) as JsonObject;
  const found = readers[name].validate(args, path, dialect);
  return { args, errors: joinErrors(errors, found.errors), warnings: found.warnings };
}

const nothing: ReadArgs = { errors: [], warnings: [] };

function refused(error: FieldError): ReadArgs {
  return { errors: [error], warnings: [] };
}

function isWithArgs(name: string): name is WithArgs {
  return Object.hasOwn(readers, name);
}

function isEmpty(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
