import path from "node:path";
import type { ClusterGates } from "../../cluster/cluster-options.ts";
import { timeOfKept } from "../../cluster/embedding/embedding-options.ts";
import { mostNodes, mostZones } from "../../cluster/node-groups/node-group-schema.ts";
import { speeds } from "../../cluster/time-endpoint.ts";
import { dns1123LabelProblems } from "../../api/names.ts";
import { contextName, contextNameOf } from "../../cluster/write-kubeconfig.ts";
import type { LogLevel } from "../../machinery/log/logger.ts";
import type { PickerAccess } from "../../cluster/network-pickers.ts";
import type { AllowList } from "../../picker/addresses/address-policy.ts";
import type { FaultSettings } from "../../simulation/outside-faults/fault-settings.ts";
import type { Flags, Invocation } from "../command.ts";
import { faultFlags, readFaultFlag } from "../flags/fault-flag.ts";
import { clusterFolder } from "../named-clusters/named-cluster.ts";
import { componentGatesFlags, readComponentGates } from "./component-gates.ts";
import { homeFolder, ownHomeFolder } from "./home-folder.ts";
import { readPickerFlags } from "../flags/picker-flags.ts";
import { numberProblems, ports, programFlags, readLogLevel, flagText } from "../flags/program-flags.ts";
import { readWebhookFlags, webhookFlags } from "./webhook-flags.ts";

/** The settings of `trimtab up`. */
export interface UpSettings {
  readonly nodes: number;
  /** Describes the nodes where `nodes` equal ones are not enough. */
  readonly nodesFile?: string;
  readonly zones: number;
  /** How many times faster than the wall clock time passes. */
  readonly speed: number;
  readonly port: number;
  /** Of the page; absent: none is served. */
  readonly pagePort?: number;
  /** Other commands find it by this name; absent: it has none. */
  readonly name?: string;
  /** Whether it is to run in the background. */
  readonly isDetached: boolean;
  readonly kubeconfig: string;
  /** The context in the kubeconfig. */
  readonly context: string;
  /** Components of the cluster that are not started. */
  readonly without: readonly string[];
  /** Whether the user's own kubeconfig gets a context too. */
  readonly mergesKubeconfig: boolean;
  readonly gates: ClusterGates;
  readonly logLevel: LogLevel;
  /** Absent: the scheduler's defaults. */
  readonly schedulerConfigFile?: string;
  readonly pickers: PickerAccess;
  /** Where admission webhooks may be, besides this machine. */
  readonly webhooks: { readonly allowed: AllowList };
  /** Absent: everything is kept in memory. */
  readonly dataDirectory?: string;
  /** Faults in the requests of other programs; absent: none. */
  readonly faults?: FaultSettings;
  readonly manifests: readonly string[];
}

const kubeconfigIn = (home: string) => path.join(home, ".trimtab", "kubeconfig");

/** Where the kubeconfig of a cluster without a name is; throws one sentence where other users could replace it. */
export const defaultKubeconfig = (): string => kubeconfigIn(ownHomeFolder());
const defaultPort = 6443;

export const upFlags: Flags = {
  nodes: { type: "string", value: "N", help: "Number of simulated nodes (default 12)" },
  "nodes-file": {
    type: "string",
    value: "FILE",
    help: "Groups of simulated nodes that differ in zone, labels, taints or capacity, instead of --nodes",
  },
  zones: { type: "string", default: "3", value: "N", help: "Number of zones the nodes are in" },
  speed: {
    type: "string",
    default: "1",
    value: "N",
    help: "How many times faster than the wall clock the time of the cluster passes",
  },
  name: {
    type: "string",
    value: "NAME",
    help: "Name of the cluster, for list, status, stop, reset and time; several may run at once",
  },
  detach: { type: "boolean", help: "Run the cluster in the background, until trimtab stop NAME" },
  port: {
    type: "string",
    value: "PORT",
    help: `Port of the API server; 0: any free port (default ${defaultPort}, with --name 0)`,
  },
  "page-port": {
    type: "string",
    default: "0",
    value: "PORT",
    help: "Port of the page that shows the cluster in a browser; 0: any free port",
  },
  "no-page": { type: "boolean", help: "Serve no page" },
  kubeconfig: {
    type: "string",
    value: "FILE",
    help: `Where the kubeconfig is written (default ${kubeconfigIn(homeFolder())}, with --name a file of the cluster)`,
  },
  "data-dir": {
    type: "string",
    value: "FOLDER",
    help: "Folder that keeps the cluster: what was acknowledged survives a crash; default: memory only",
  },
  "no-kubelet": {
    type: "boolean",
    help: "Simulate no kubelet: Pods wait until another program runs them",
  },
  "merge-kubeconfig": {
    type: "boolean",
    help: "Also add the context trimtab, or trimtab-NAME, to $KUBECONFIG or ~/.kube/config, and remove it at the end",
  },
  "scheduler-config": {
    type: "string",
    value: "FILE",
    help: "KubeSchedulerConfiguration of the scheduler",
  },
  ...faultFlags,
  ...webhookFlags,
  ...programFlags("warn"),
  ...componentGatesFlags,
};

const defaultNodes = 12;

const ranges = {
  nodes: { least: 0, most: mostNodes },
  zones: { least: 1, most: mostZones },
  port: ports,
  "page-port": ports,
};

/** Reads the flags of `up`; returns all errors, one sentence each. */
export function readUpSettings({ flags, arguments: manifests }: Invocation): UpSettings | readonly string[] {
  const gates = readComponentGates(flags);
  const logLevel = readLogLevel(flags);
  const pickers = readPickerFlags(flags);
  const others = readOtherPrograms(flags);
  const problems = [
    ...[gates, logLevel, pickers, others].flatMap((read) => (read.ok ? [] : read.problems)),
    ...emptyPathProblems(flags),
    ...Object.entries(ranges)
      .filter(([name]) => flags[name] !== undefined)
      .flatMap(([name, range]) => numberProblems(flags, name, range)),
    ...speedProblems(flags),
    ...(flags["nodes"] !== undefined && flags["nodes-file"] !== undefined
      ? ["--nodes and --nodes-file exclude each other"]
      : []),
    ...nameProblems(flags),
  ];
  if (problems.length > 0 || !gates.ok || !logLevel.ok || !pickers.ok || !others.ok) return problems;
  return {
    nodes: Number(flags["nodes"] ?? defaultNodes),
    speed: Number(flags["speed"]),
    zones: Number(flags["zones"]),
    ...placeOf(flags),
    isDetached: flags["detach"] === true,
    without: flags["no-kubelet"] === true ? ["kubelet"] : [],
    mergesKubeconfig: flags["merge-kubeconfig"] === true,
    manifests,
    ...optionalPaths(flags),
    gates: gates.gates,
    pickers: pickers.access,
    logLevel: logLevel.level,
    ...others.settings,
  };
}

type OtherPrograms =
  | { readonly ok: true; readonly settings: Pick<UpSettings, "webhooks" | "faults"> }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads which other programs are called, and how their own calls are disturbed. */
function readOtherPrograms(flags: Invocation["flags"]): OtherPrograms {
  const webhooks = readWebhookFlags(flags);
  const read = readFaultFlag(flags);
  if (!webhooks.ok || !read.ok)
    return { ok: false, problems: [webhooks, read].flatMap((each) => (each.ok ? [] : each.problems)) };
  const { faults } = read;
  return { ok: true, settings: { webhooks: { allowed: webhooks.allowed }, ...(faults && { faults }) } };
}

function nameProblems(flags: Invocation["flags"]): readonly string[] {
  if (flags["name"] === undefined)
    return flags["detach"] === true ? ["--detach needs --name, by which it is found again"] : [];
  return dns1123LabelProblems(flagText(flags, "name")).map((problem) => `--name: ${problem}`);
}

/** Where a cluster is found: those with a name need not share a port or a kubeconfig. */
function placeOf(
  flags: Invocation["flags"],
): Pick<UpSettings, "name" | "port" | "pagePort" | "kubeconfig" | "context"> {
  const name = flags["name"] === undefined ? undefined : flagText(flags, "name");
  const own = () =>
    name === undefined ? defaultKubeconfig() : path.join(clusterFolder(name, process.env), "kubeconfig");
  return {
    ...(name !== undefined && { name }),
    port: Number(flags["port"] ?? (name === undefined ? defaultPort : 0)),
    ...(flags["no-page"] !== true && { pagePort: Number(flags["page-port"]) }),
    kubeconfig: flags["kubeconfig"] === undefined ? own() : path.resolve(flagText(flags, "kubeconfig")),
    context: name === undefined ? contextName : contextNameOf(name),
  };
}

/** Refuses another speed beside a program that runs Pods by the wall clock, and with a data directory. */
function speedProblems(flags: Invocation["flags"]): readonly string[] {
  const text = flagText(flags, "speed");
  const speed = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(speed >= speeds.least && speed <= speeds.most))
    return [`--speed must be a number from ${speeds.least} to ${speeds.most}`];
  if (speed === 1) return [];
  return [
    ...(flags["no-kubelet"] === true
      ? ["--speed and --no-kubelet exclude each other: another program would run Pods by the wall clock"]
      : []),
    ...(flags["data-dir"] === undefined ? [] : [`--speed and --data-dir exclude each other: ${timeOfKept}`]),
  ];
}

function emptyPathProblems(flags: Invocation["flags"]): readonly string[] {
  return flags["data-dir"] === "" ? ["--data-dir must name a folder"] : [];
}

function optionalPaths(
  flags: Invocation["flags"],
): Pick<UpSettings, "schedulerConfigFile" | "dataDirectory" | "nodesFile"> {
  const given = (name: string) => flags[name] !== undefined;
  return {
    ...(given("scheduler-config") && { schedulerConfigFile: flagText(flags, "scheduler-config") }),
    ...(given("nodes-file") && { nodesFile: flagText(flags, "nodes-file") }),
    ...(given("data-dir") && { dataDirectory: path.resolve(flagText(flags, "data-dir")) }),
  };
}
