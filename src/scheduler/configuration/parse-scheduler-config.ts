import { defaultFeatureGates, type FeatureGates } from "../../api/feature-gates.ts";
import { type FieldError, notSupported } from "../../api/field-error.ts";
import type { JsonObject } from "../../api/json.ts";
import type {
  DecodingContext,
  PluginEntry,
  ValidationResult,
} from "../../decisions/placement/plugin-entry.ts";
import { defaultSchedulerName } from "../scheduler-name.ts";
import { decodeDocument, joinErrors } from "./decode-document.ts";
import {
  apiVersions,
  type ConfigurationDocument,
  configurationShape,
  decodingContextOf,
  type ProfileDocument,
} from "./document-shape.ts";
import { mergePlugins } from "./merge-plugins.ts";
import { readPluginArgs } from "./plugin-args.ts";
import { type PluginRegistry, pluginRegistry } from "./plugin-registry.ts";
import { readDocument } from "./read-document.ts";
import { defaultBackoffSeconds, type ProfileConfig, type SchedulerConfig } from "./scheduler-config.ts";
import { validateDocument } from "./validate-document.ts";
import { validateEnabledPlugins, validatePlugins } from "./validate-plugins.ts";

/** A configuration, or everything that is wrong with the file. */
export type ParsedSchedulerConfig =
  | { readonly ok: true; readonly config: SchedulerConfig; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** What the meaning of a file depends on besides its text. */
export interface ParseOptions {
  readonly gates?: FeatureGates;
  /** Out-of-tree plugins that the file may name beside the in-tree ones. */
  readonly plugins?: readonly PluginEntry[];
}

/** Parses a KubeSchedulerConfiguration, as YAML or JSON, of version v1 or v1beta1. */
export function parseSchedulerConfig(
  text: string,
  { gates = defaultFeatureGates, plugins = [] }: ParseOptions = {},
): ParsedSchedulerConfig {
  const read = readDocument(text);
  if (!read.ok) return read;
  const mistyped = [...validateVersion(read.document)];
  const context = decodingContextOf(read.document["apiVersion"], gates);
  const shape = configurationShape(context);
  const document = decodeDocument(shape, read.document, {
    path: "",
    errors: mistyped,
  }) as ConfigurationDocument;

  const registry = pluginRegistry(plugins);
  const profiles = (document.profiles?.length ? document.profiles : [{}]).map((profile, index) =>
    readProfile(profile, { path: `profiles[${index}]`, document, context, registry }),
  );
  const wrong = [...validateDocument(document), ...profiles.flatMap(({ errors }) => errors)];
  const errors = joinErrors(mistyped, wrong);
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

function validateVersion({ apiVersion = "", kind = "" }: JsonObject): readonly FieldError[] {
  const kinds = ["KubeSchedulerConfiguration"];
  return [
    ...(apiVersions.some((known) => known === apiVersion)
      ? []
      : [notSupported("apiVersion", apiVersion, apiVersions)]),
    ...(kind === kinds[0] ? [] : [notSupported("kind", kind, kinds)]),
  ];
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
