import { defaultFeatureGates, type FeatureGates } from "../../api/feature-gates.ts";
import { type FieldError, notSupported } from "../../api/field-error.ts";
import type { JsonObject } from "../../api/json.ts";
import { defaultSchedulerName } from "../scheduler-name.ts";
import { readPluginArgs } from "./args/plugin-args.ts";
import { decodeDocument, joinErrors } from "./decode-document.ts";
import { apiVersions, type DecodingContext, decodingContextOf } from "./decoding-context.ts";
import { type ConfigurationDocument, configurationShape, type ProfileDocument } from "./document-shape.ts";
import { mergePlugins } from "./merge-plugins.ts";
import { startingPlugins } from "./plugin-registry.ts";
import { readDocument } from "./read-document.ts";
import { defaultBackoffSeconds, type ProfileConfig, type SchedulerConfig } from "./scheduler-config.ts";
import { validateDocument } from "./validate-document.ts";
import { type ValidationResult, validateEnabledPlugins, validatePlugins } from "./validate-plugins.ts";

/** A configuration, or everything that is wrong with the file. */
export type ParsedSchedulerConfig =
  | { readonly ok: true; readonly config: SchedulerConfig; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Reads a KubeSchedulerConfiguration, as YAML or JSON, of version v1 or v1beta1. */
export function parseSchedulerConfig(
  text: string,
  gates: FeatureGates = defaultFeatureGates,
): ParsedSchedulerConfig {
  const read = readDocument(text);
  if (!read.ok) return read;
  const mistyped = [...validateVersion(read.document)];
  const dialect = decodingContextOf(read.document["apiVersion"], gates);
  const shape = configurationShape(dialect);
  const document = decodeDocument(shape, read.document, {
    path: "",
    errors: mistyped,
  }) as ConfigurationDocument;

  const profiles = (document.profiles?.length ? document.profiles : [{}]).map((profile, index) =>
    readProfile(profile, { path: `profiles[${index}]`, document, dialect }),
  );
  const wrong = [...validateDocument(document), ...profiles.flatMap(({ errors }) => errors)];
  const errors = joinErrors(mistyped, wrong);
  if (errors.length > 0) return { ok: false, errors };

  const warnings = [...withoutEffect(document), ...profiles.flatMap((profile) => profile.warnings)];
  const config = {
    podInitialBackoffSeconds: document.podInitialBackoffSeconds ?? defaultBackoffSeconds.initial,
    podMaxBackoffSeconds: document.podMaxBackoffSeconds ?? defaultBackoffSeconds.max,
    profiles: profiles.map(({ config }) => config),
  };
  return { ok: true, config, warnings };
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

interface ProfilePlace {
  readonly path: string;
  readonly document: ConfigurationDocument;
  readonly dialect: DecodingContext;
}

function readProfile(
  profile: ProfileDocument,
  { path, document, dialect }: ProfilePlace,
): ValidationResult & { readonly config: ProfileConfig } {
  const { schedulerName, percentageOfNodesToScore, plugins: wishes = {} } = profile;
  const wished = validatePlugins(wishes, `${path}.plugins`);
  const plugins = mergePlugins(wishes, startingPlugins(dialect.gates));
  const { args, ...given } = readPluginArgs(profile, path, dialect);
  const config = {
    schedulerName: schedulerName || defaultSchedulerName,
    percentageOfNodesToScore: percentageOfNodesToScore ?? document.percentageOfNodesToScore ?? 0,
    plugins,
    args,
  };
  // What a profile ends up with says nothing while its wishes cannot be met.
  const missing = wished.errors.length > 0 ? [] : validateEnabledPlugins(plugins, `${path}.plugins`);
  return {
    config,
    errors: [...wished.errors, ...missing, ...given.errors],
    warnings: [...wished.warnings, ...given.warnings],
  };
}

/** Of kube-scheduler's own life, which this scheduler does not lead. */
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
