import { defaultFeatureGates, type FeatureGates, parseFeatureGates } from "../../api/feature-gates.ts";
import { parseDuration } from "../../api/duration.ts";
import { type DecidedBy, defaultGatesOf } from "../../decisions/explain/decided-by.ts";
import type { PickerAccess } from "../../cluster/network-pickers.ts";
import type { SchedulerConfig } from "../../scheduler/configuration/scheduler-config.ts";
import type { Assumptions } from "../../simulation/snapshot/simulated-objects.ts";
import type { Flags, Invocation } from "../command.ts";
import { choiceProblems, flagText } from "../flags/flag-values.ts";
import { inspectionFlags, snapshotFlag, snapshotProblems } from "../connection/inspected-cluster.ts";
import { pickerFlags, readPickerFlags } from "../flags/picker-flags.ts";
import { featureGatesFlag } from "../flags/program-flags.ts";
import { readSchedulerConfig } from "../control-plane/read-scheduler-config.ts";
import { type OutputFormat, outputFormatOf, outputFormats } from "../report-output.ts";
import { changeFlags } from "./change-flags.ts";

/** The settings of `trimtab whatif`, except the changes. */
export interface WhatIfSettings {
  /** The file of a snapshot; absent: a cluster is read. */
  readonly file: string | undefined;
  /** Whose controllers decide; absent: as the cluster or the snapshot shows. */
  readonly controllers: DecidedBy["controllers"] | undefined;
  readonly gates: (controllers: DecidedBy["controllers"], embedded?: FeatureGates) => FeatureGates;
  readonly assumptions: Assumptions;
  /** Absent: the defaults of Kubernetes. */
  readonly schedulerConfig: SchedulerConfig | undefined;
  readonly scheduler: string;
  readonly seed: string;
  readonly timeoutMs: number | undefined;
  /** Whether the pickers of workloads that are scaled are asked. */
  readonly asksPickers: boolean;
  readonly pickers: PickerAccess;
  readonly output: OutputFormat;
}

const profiles = { trimtab: "embedded", "kubernetes-1.36": "stock" } as const;

export const whatIfFlags: Flags = {
  ...changeFlags,
  ...snapshotFlag,
  as: {
    type: "string",
    value: "PROFILE",
    choices: Object.keys(profiles),
    help: "Whose controllers decide: trimtab or kubernetes-1.36 (default: found out)",
  },
  "start-up": {
    type: "string",
    value: "DURATION",
    help: "How long a new Pod takes to be ready (default 500ms)",
  },
  termination: {
    type: "string",
    value: "DURATION",
    help: "How long a deleted Pod takes to end (default 1s)",
  },
  "scheduler-config": {
    type: "string",
    value: "FILE",
    help: "The KubeSchedulerConfiguration (default: that of the cluster if it says so, as trimtab up does)",
  },
  "ask-picker": {
    type: "boolean",
    help: "Ask the pod pickers of workloads that --scale names, from here; otherwise no request leaves for them",
  },
  for: { type: "string", value: "DURATION", help: "The longest time that is simulated (default 6h)" },
  seed: {
    type: "string",
    value: "TEXT",
    default: "1",
    help: "Decides what is left to chance: the same seed, the same answer",
  },
  output: {
    type: "string",
    short: "o",
    value: "FORMAT",
    choices: outputFormats,
    help: "wide: every workload and rule; json or yaml: for programs (default: tables)",
  },
  ...inspectionFlags,
  ...featureGatesFlag,
  ...pickerFlags,
};

export type ReadWhatIf =
  | { readonly ok: true; readonly settings: WhatIfSettings; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the command line of `whatif` and the files it names, but for the snapshot; all errors together. */
export function readWhatIfSettings({ flags }: Pick<Invocation, "flags">): ReadWhatIf {
  const given = (name: string) => (flags[name] === undefined ? undefined : flagText(flags, name));
  const gates = parseFeatureGates(flagText(flags, "feature-gates"));
  const file = given("scheduler-config");
  const config = readSchedulerConfig(file, gates.ok ? gates.gates : defaultFeatureGates);
  const pickers = readPickerFlags(flags);
  const problems = [
    ...["start-up", "termination", "for"].flatMap((name) => durationProblems(name, given(name))),
    ...choiceProblems(flags, "as", Object.keys(profiles)),
    ...choiceProblems(flags, "output", outputFormats),
    ...snapshotProblems(flags, ["ask-picker"]),
    ...(gates.ok ? [] : gates.errors),
    ...[config, pickers].flatMap((read) => (read.ok ? [] : read.problems)),
  ];
  if (problems.length > 0 || !config.ok || !pickers.ok) return { ok: false, problems };
  const profile = given("as") as keyof typeof profiles | undefined;
  return {
    ok: true,
    warnings: config.warnings,
    settings: {
      file: given("snapshot"),
      controllers: profile && profiles[profile],
      gates: (controllers, embedded) => gatesOf({ controllers, embedded }, flagText(flags, "feature-gates")),
      assumptions: { startUp: given("start-up"), termination: given("termination") },
      schedulerConfig: file === undefined ? undefined : config.config,
      scheduler:
        file === undefined
          ? "a scheduler with the default configuration"
          : `a scheduler with the configuration in ${file}`,
      seed: flagText(flags, "seed"),
      asksPickers: flags["ask-picker"] === true,
      pickers: pickers.access,
      timeoutMs: parseDuration(given("for")),
      output: outputFormatOf(flags),
    },
  };
}

/** The gates of the controllers there, changed as the flag says; stock controllers know none of ours. */
function gatesOf(
  { controllers, embedded }: Pick<DecidedBy, "controllers"> & { readonly embedded: FeatureGates | undefined },
  text: string,
): FeatureGates {
  const found = defaultGatesOf({ controllers }, embedded);
  const defaults = controllers === "stock" ? { ...found, PreferForScaleDownLabel: false } : found;
  const parsed = parseFeatureGates(text, defaults);
  return parsed.ok ? parsed.gates : defaults;
}

function durationProblems(name: string, text: string | undefined): readonly string[] {
  const isFine = text === undefined || (parseDuration(text) ?? -1) >= 0;
  return isFine ? [] : [`--${name} must be a duration such as 30s`];
}
