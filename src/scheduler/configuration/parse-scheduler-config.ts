import { joinErrors, readParts } from "../../api/documents/read-document.ts";
import { defaultFeatureGates, type FeatureGates } from "../../api/feature-gates.ts";
import { type FieldError, invalid } from "../../api/field-error.ts";
import type { JsonObject } from "../../api/json.ts";
import type {
  DecodingContext,
  PluginEntry,
  ValidationResult,
} from "../../decisions/placement/plugin-entry.ts";
import { parseLocatedYaml } from "../../machinery/yaml/located-yaml.ts";
import { defaultSchedulerName } from "../scheduler-name.ts";
import {
  betaSchedulerConfigSchema,
  type ConfigurationDocument,
  decodingContextOf,
  defaultBackoffSeconds,
  type ProfileDocument,
  schedulerConfigKind,
  schedulerConfigSchema,
} from "./configuration-schema.ts";
import { mergePlugins } from "./merge-plugins.ts";
import { readPluginArgs } from "./plugin-args.ts";
import { type PluginRegistry, pluginRegistry } from "./plugin-registry.ts";
import type { ProfileConfig, SchedulerConfig } from "./scheduler-config.ts";
import { validateEnabledPlugins, validatePlugins } from "./validate-plugins.ts";

interface ValidSchedulerConfig {
  readonly ok: true;
  readonly config: SchedulerConfig;
  readonly warnings: readonly string[];
}

interface InvalidSchedulerConfig {
  readonly ok: false;
  readonly errors: readonly FieldError[];
}

/** A configuration, or everything that is wrong with the document. */
export type DecodedSchedulerConfig = ValidSchedulerConfig | InvalidSchedulerConfig;

/** A configuration, or everything that is wrong with the file. */
export type ParsedSchedulerConfig =
  | ValidSchedulerConfig
  /** `problems` are the errors as sentences, each with its line and column. */
  | (InvalidSchedulerConfig & { readonly problems: readonly string[] });

/** What the meaning of a file depends on besides its text. */
export interface ParseOptions {
  readonly gates?: FeatureGates;
  /** Out-of-tree plugins that the file may name beside the in-tree ones. */
  readonly plugins?: readonly PluginEntry[];
}

/** Parses a KubeSchedulerConfiguration, as YAML or JSON, of version v1 or v1beta1. */
export function parseSchedulerConfig(
  text: string,
  { file = "the file", ...options }: ParseOptions & { readonly file?: string } = {},
): ParsedSchedulerConfig {
  const parsed = parseLocatedYaml({ file, text, kind: schedulerConfigKind });
  if (!parsed.ok) {
    const errors = parsed.problems.map((problem) =>
      invalid(file, undefined, problem.slice(file.length).replace(/^: ?/, "")),
    );
    return { ok: false, errors, problems: parsed.problems };
  }
  const read = schedulerConfigOf(parsed.document.content, options);
  return read.ok ? read : { ...read, problems: parsed.document.format(read.errors) };
}

/** Reads a KubeSchedulerConfiguration that another document has within. */
export function schedulerConfigOf(
  content: JsonObject,
  { gates = defaultFeatureGates, plugins = [] }: ParseOptions = {},
): DecodedSchedulerConfig {
  const context = decodingContextOf(content["apiVersion"], gates);
  const schema = context.isV1beta1 ? betaSchedulerConfigSchema : schedulerConfigSchema;
  const { rest: document, errors: mistyped } = readParts(schema, content);
  const registry = pluginRegistry(plugins);
  const profiles = (document.profiles?.length ? document.profiles : [{}]).map((profile, index) =>
    readProfile(profile, { path: `profiles[${index}]`, document, context, registry }),
  );
  const errors = joinErrors(
    mistyped,
    profiles.flatMap((profile) => profile.errors),
  );
  if (errors.length > 0) return { ok: false, errors };

  const warnings = [...withoutEffect(document), ...profiles.flatMap((profile) => profile.warnings)];
  const config: SchedulerConfig = {
    ...backoffOf(document),
    profiles: profiles.map((profile) => profile.config),
    ...(plugins.length > 0 && { outOfTreePlugins: plugins }),
  };
  return { ok: true, config, warnings };
}

function backoffOf({ podInitialBackoffSeconds, podMaxBackoffSeconds }: ConfigurationDocument) {
  return {
    podInitialBackoffSeconds: podInitialBackoffSeconds ?? defaultBackoffSeconds.initial,
    podMaxBackoffSeconds: podMaxBackoffSeconds ?? defaultBackoffSeconds.max,
  };
}

interface ProfileContext {
  readonly path: string;
  readonly document: ConfigurationDocument;
  readonly context: DecodingContext;
  readonly registry: PluginRegistry;
}

function readProfile(
  profile: ProfileDocument,
  { path, document, context, registry }: ProfileContext,
): ValidationResult & { readonly config: ProfileConfig } {
  const { schedulerName, percentageOfNodesToScore, plugins: pluginsDocument = {} } = profile;
  const validated = validatePlugins(pluginsDocument, `${path}.plugins`, registry);
  const plugins = mergePlugins(pluginsDocument, registry, context.gates);
  const { args, ...given } = readPluginArgs(profile, { path, context, registry });
  const config = {
    schedulerName: schedulerName || defaultSchedulerName,
    percentageOfNodesToScore: percentageOfNodesToScore ?? document.percentageOfNodesToScore ?? 0,
    plugins,
    args,
  };
  // The merged plugins mean nothing while the document they are merged from is invalid.
  const missing =
    validated.errors.length > 0 ? [] : validateEnabledPlugins(plugins, `${path}.plugins`, registry);
  return {
    config,
    errors: [...validated.errors, ...missing, ...given.errors],
    warnings: [...validated.warnings, ...given.warnings],
  };
}

/** Settings of the kube-scheduler process; this scheduler gets them from the program that runs it. */
const settingsWithoutEffect = [
  "parallelism",
  "leaderElection",
  "clientConnection",
  "enableProfiling",
  "enableContentionProfiling",
  "delayCacheUntilActive",
  "healthzBindAddress",
  "metricsBindAddress",
];

function withoutEffect(document: ConfigurationDocument): readonly string[] {
  return settingsWithoutEffect
    .filter((name) => Object.hasOwn(document, name))
    .map((name) => `${name}: has no effect here`);
}
