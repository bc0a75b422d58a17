import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { readYamlDocument } from "../../machinery/yaml/located-yaml.ts";
import {
  type PickerConfiguration,
  pickerConfigurationKind,
  pickerConfigurationSchema,
} from "../../picker/serve/configuration/picker-configuration.ts";
import type { Flags, Invocation } from "../command.ts";
import {
  connectionFlags,
  diagnosticsFlags,
  type ExternalClusterSettings,
  readClusterFlags,
} from "../flags/cluster-flags.ts";
import { flagText, logLevelFlag } from "../flags/program-flags.ts";

/** The settings of `trimtab picker serve`. */
export interface ServeSettings extends ExternalClusterSettings {
  readonly configuration: PickerConfiguration;
  /** Whether it says what it would answer now, and ends. */
  readonly isCheck: boolean;
}

export const serveFlags: Flags = {
  config: { type: "string", value: "FILE", help: "serve: the PickerConfiguration" },
  check: { type: "boolean", help: "serve: say what would be answered now, Pod by Pod, and end" },
  ...connectionFlags,
  ...diagnosticsFlags(10_283, "health and metrics (serve)"),
  ...logLevelFlag("info"),
};

export type ReadServeSettings =
  | { readonly ok: true; readonly settings: ServeSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The flags of `picker check` that make no sense here. */
const foreignFlags = [
  "candidates",
  "workload",
  "namespace",
  "header",
  "token-file",
  "ca",
  "cert",
  "key",
  "strict",
];

/** Reads the operands and flags of `trimtab picker serve`, and its configuration; returns every problem as a sentence. */
export function readServeSettings({ arguments: words, flags }: Invocation): ReadServeSettings {
  const cluster = readClusterFlags(flags);
  const configuration = readConfiguration(flagText(flags, "config"));
  const foreign = foreignFlags.filter((name) => flags[name] !== undefined);
  const problems = [
    ...(words.length > 1 ? [`picker serve has no operand: ${words[1]} is too much`] : []),
    ...foreign.map((name) => `--${name} belongs to picker check`),
    ...(cluster.ok ? [] : cluster.problems),
    ...(configuration.ok ? [] : configuration.problems),
  ];
  if (problems.length > 0 || !cluster.ok || !configuration.ok) return { ok: false, problems };
  const isCheck = flags["check"] === true;
  return { ok: true, settings: { ...cluster.settings, configuration: configuration.value, isCheck } };
}

function readConfiguration(file: string): ReturnType<typeof parseConfiguration> {
  if (file === "") return { ok: false, problems: ["--config must name the PickerConfiguration"] };
  const read = readTextFile(file);
  return read.ok ? parseConfiguration(read.text, file) : { ok: false, problems: [`${file}: ${read.reason}`] };
}

/** Parses a PickerConfiguration, as YAML or JSON; returns all mistakes, with file, line, column and path. */
export function parseConfiguration(text: string, file = "the file") {
  return readYamlDocument(pickerConfigurationSchema, { file, text, kind: pickerConfigurationKind });
}
