import { defaultFeatureGates, type FeatureGates, parseFeatureGates } from "../../api/feature-gates.ts";
import type { PickerAccess } from "../../cluster/network-pickers.ts";
import type { RemovalProfileName } from "../../decisions/downscale/removal-profiles.ts";
import type { DefaultsByScheduler } from "../../decisions/spread/spread-of.ts";
import { spreadDefaultsOf } from "../../scheduler/configuration/current-config.ts";
import type { Flags, Invocation } from "../command.ts";
import { choiceProblems, numberProblems, flagText } from "../flags/flag-values.ts";
import { inspectionFlags, snapshotFlag, snapshotProblems } from "../connection/inspected-cluster.ts";
import { nearestName } from "../../api/nearest-name.ts";
import { pickerFlags, readPickerFlags } from "../flags/picker-flags.ts";
import { featureGatesFlag } from "../flags/program-flags.ts";
import { readSchedulerConfig } from "../control-plane/read-scheduler-config.ts";
import { type OutputFormat, outputFormatOf, outputFormats } from "../report-output.ts";
import { readObject, type ReadObject, type Topic, topicKinds } from "./object-argument.ts";

/** The settings of `trimtab explain`. */
export interface ExplainSettings {
  readonly topic: Topic;
  /** Absent: the Pod of a file. */
  readonly object?: Extract<ReadObject, { ok: true }>;
  /** The manifest of a Pod that does not exist. */
  readonly file?: string;
  /** The only node that is looked at, of a DaemonSet. */
  readonly node?: string;
  readonly replicas: number;
  readonly profile?: RemovalProfileName;
  readonly gates: (defaults: FeatureGates) => FeatureGates;
  readonly asksPicker: boolean;
  readonly pickers: PickerAccess;
  readonly schedulerConfig?: string;
  /** The default spread constraints in that file. */
  readonly spreadDefaults?: DefaultsByScheduler;
  /** The file of a snapshot; absent: a cluster is read. */
  readonly snapshot?: string;
  readonly output: OutputFormat;
}

export const topics = Object.keys(topicKinds) as readonly Topic[];
const profiles: readonly RemovalProfileName[] = ["trimtab", "kubernetes-1.36"];

export const explainFlags: Flags = {
  replicas: { type: "string", value: "N", help: "scale-down: the size after it" },
  as: {
    type: "string",
    value: "PROFILE",
    choices: profiles,
    help: "Whose controllers decide: trimtab or kubernetes-1.36 (default: found out)",
  },
  "ask-picker": {
    type: "boolean",
    help: "scale-down: ask the pod picker of the workload, from here; otherwise no request leaves for it",
  },
  "scheduler-config": {
    type: "string",
    value: "FILE",
    help: "scale-down, placement: the KubeSchedulerConfiguration (default: that of the cluster if it says so, as trimtab up does)",
  },
  node: {
    type: "string",
    value: "NODE",
    help: "placement of a DaemonSet: whether this node should run a Pod of it, and what the scheduler says",
  },
  filename: {
    type: "string",
    short: "f",
    value: "FILE",
    help: "placement: the manifest of a Pod that does not exist, in place of an object",
  },
  output: {
    type: "string",
    short: "o",
    value: "FORMAT",
    choices: outputFormats,
    help: "wide: everything, in columns; json or yaml: for programs (default: sentences and a table)",
  },
  ...snapshotFlag,
  ...inspectionFlags,
  ...featureGatesFlag,
  ...pickerFlags,
};

export type ReadExplain =
  | { readonly ok: true; readonly settings: ExplainSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the command line of `explain`; all errors together, one sentence each. */
export function readExplainSettings({ flags, arguments: words }: Invocation): ReadExplain {
  const [topicText = "", ...objectWords] = words;
  const topic = topics.find((each) => each === topicText);
  if (topic === undefined) return { ok: false, problems: [unknownTopic(topicText)] };
  const object = flags["filename"] === undefined ? readObject(objectWords, topic) : undefined;
  const pickers = readPickerFlags(flags);
  const spread = readSpreadDefaults(topic, flags);
  const problems = [
    ...(object?.ok === false ? [object.problem] : []),
    ...topicProblems(topic, flags, objectWords),
    ...nodeProblems(topic, flags, object),
    ...choiceProblems(flags, "as", profiles),
    ...choiceProblems(flags, "output", outputFormats),
    ...snapshotProblems(flags, ["ask-picker"]),
    ...gateProblems(flags),
    ...spread.problems,
    ...(pickers.ok ? [] : pickers.problems),
  ];
  if (problems.length > 0 || !pickers.ok) return { ok: false, problems };
  return {
    ok: true,
    settings: {
      topic,
      ...optionalSettings(flags, object),
      ...(spread.defaults && { spreadDefaults: spread.defaults }),
      replicas: Number(flagText(flags, "replicas")),
      gates: (defaults) => overridden(flagText(flags, "feature-gates"), defaults),
      asksPicker: flags["ask-picker"] === true,
      pickers: pickers.access,
      output: outputFormatOf(flags),
    },
  };
}

function unknownTopic(text: string): string {
  const meant = nearestName(text.toLowerCase(), topics);
  const hint = meant === undefined ? `one of ${topics.join(", ")}` : `${meant}, perhaps?`;
  return text === ""
    ? `say what to explain: ${topics.join(", ")}`
    : `${JSON.stringify(text)} cannot be explained: ${hint}`;
}

/** The flags that do not make sense for every topic. */
const flagTopics: Readonly<Record<string, readonly Topic[]>> = {
  replicas: ["scale-down"],
  "ask-picker": ["scale-down"],
  "scheduler-config": ["scale-down", "placement"],
  filename: ["placement"],
  node: ["placement"],
};

function topicProblems(
  topic: Topic,
  flags: Invocation["flags"],
  words: readonly string[],
): readonly string[] {
  const foreign = Object.entries(flagTopics).filter(
    ([name, of]) => flags[name] !== undefined && !of.includes(topic),
  );
  return [
    ...foreign.map(([name, of]) => `--${name} is for explain ${of.join(" and ")}`),
    ...(topic === "scale-down" && flags["replicas"] === undefined
      ? ["--replicas is needed: the size after the scale-down"]
      : []),
    ...(topic === "scale-down" && flags["replicas"] !== undefined
      ? numberProblems(flags, "replicas", { least: 0, most: 2_147_483_647 })
      : []),
    ...(flags["filename"] !== undefined && words.length > 0
      ? ["--filename takes the place of an object: give one of the two"]
      : []),
  ];
}

/** Of what has Pods on any node, the scheduler's verdict on each of them is shown anyway. */
function nodeProblems(
  topic: Topic,
  flags: Invocation["flags"],
  object: ReadObject | undefined,
): readonly string[] {
  if (topic !== "placement" || flags["node"] === undefined || object?.ok === false) return [];
  if (flagText(flags, "node") === "") return ["--node needs the name of a node"];
  return object?.kind === "DaemonSet"
    ? []
    : ["--node is for a DaemonSet, such as trimtab explain placement daemonset/web --node node-1"];
}

function gateProblems(flags: Invocation["flags"]): readonly string[] {
  const parsed = parseFeatureGates(flagText(flags, "feature-gates"));
  return parsed.ok ? [] : parsed.errors;
}

/** The default spread constraints of the configuration file, if there is one. */
function readSpreadDefaults(
  topic: Topic,
  flags: Invocation["flags"],
): { readonly problems: readonly string[]; readonly defaults?: DefaultsByScheduler } {
  // For a placement the whole file is read, with the name of the Pod's scheduler.
  if (topic !== "scale-down" || flags["scheduler-config"] === undefined) return { problems: [] };
  const gates = overridden(flagText(flags, "feature-gates"), defaultFeatureGates);
  const read = readSchedulerConfig(flagText(flags, "scheduler-config"), gates);
  return read.ok ? { problems: [], defaults: spreadDefaultsOf(read.config) } : read;
}

function optionalSettings(
  flags: Invocation["flags"],
  object: ReadObject | undefined,
): Pick<ExplainSettings, "object" | "file" | "node" | "profile" | "schedulerConfig" | "snapshot"> {
  const profile = profiles.find((each) => each === flags["as"]);
  return {
    ...(object?.ok === true ? { object } : {}),
    ...(flags["filename"] === undefined ? {} : { file: flagText(flags, "filename") }),
    ...(flags["node"] === undefined ? {} : { node: flagText(flags, "node") }),
    ...(profile === undefined ? {} : { profile }),
    ...(flags["snapshot"] === undefined ? {} : { snapshot: flagText(flags, "snapshot") }),
    ...(flags["scheduler-config"] === undefined
      ? {}
      : { schedulerConfig: flagText(flags, "scheduler-config") }),
  };
}

/** Gates on top of those that the controllers there have by default. */
function overridden(text: string, defaults: FeatureGates): FeatureGates {
  const parsed = parseFeatureGates(text, defaults);
  return parsed.ok ? parsed.gates : defaultFeatureGates;
}
