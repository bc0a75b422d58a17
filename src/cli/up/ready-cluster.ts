import { formatTime, type Instant } from "../../api/time.ts";
import { countText } from "../../decisions/explain/text-table.ts";
import type { Invocation } from "../command.ts";
import type { ClusterRecord } from "../named-clusters/named-cluster.ts";
import { logFile } from "../named-clusters/start-in-background.ts";
import type { UpFiles } from "./up-files.ts";
import type { UpSettings } from "./up-settings.ts";

/** The command line of `up` with the files it names. */
export type PreparedSettings = Omit<UpSettings, "manifests"> & UpFiles & Required<Pick<Invocation, "words">>;

/** What is known about a cluster once it is ready. */
interface ReadyFacts {
  readonly url: string;
  /** Opens the page; absent: there is none. */
  readonly link: string | undefined;
  /** Where the page is, without the link. */
  readonly page: string | undefined;
  readonly startedAt: Instant;
  readonly tookMs: number;
  /** Whether this process is in the background. */
  readonly isDetached: boolean;
  /** Whether the user can press Enter for a new link. */
  readonly hasKeys: boolean;
}

/** Returns the progress messages before the cluster is ready. */
export function stepsOf(settings: PreparedSettings): readonly string[] {
  const { dataDirectory } = settings;
  return [
    ...(dataDirectory === undefined ? [] : [`reading ${dataDirectory}`]),
    `starting ${describeNodes(settings)}`,
  ];
}

/** Returns the record by which other commands find a named cluster. */
export function recordOf(settings: PreparedSettings & ReadyFacts): Omit<ClusterRecord, "name" | "pid"> {
  const { url, page, startedAt, isDetached, kubeconfig, context, dataDirectory, name = "", words } = settings;
  return {
    url,
    kubeconfig,
    context,
    nodes: describeNodes(settings),
    startedAt: formatTime(startedAt),
    ...(dataDirectory !== undefined && { dataDirectory }),
    ...(page !== undefined && { page }),
    ...(isDetached && { log: logFile(name, process.env) }),
    words: ["up", ...words],
    workingDirectory: process.cwd(),
  };
}

/** Returns the text that says how to use the cluster. */
export function welcome(settings: PreparedSettings & ReadyFacts): string {
  const { kubeconfig, mergesKubeconfig, speed, name = "", context, url, tookMs, isDetached } = settings;
  const { link, hasKeys, faults } = settings;
  const keys = link !== undefined && hasKeys ? "Enter prints a new link, " : "";
  const pace = speed === 1 ? "" : `, time passes ${speed} times as fast`;
  const disturbed = faults === undefined ? "" : `, faults of seed ${faults.seed} (${faults.profile})`;
  return [
    `trimtab is ready: ${describeNodes(settings)} at ${url}${pace}${disturbed} (${(tookMs / 1000).toFixed(1)} s)`,
    "",
    "In another terminal:",
    "",
    mergesKubeconfig ? `  kubectl config use-context ${context}` : `  export KUBECONFIG=${kubeconfig}`,
    "  kubectl get nodes",
    "  kubectl run web --image=nginx",
    "  kubectl get pods -o wide --watch",
    "",
    ...(link === undefined ? [] : ["To watch it in a browser, open this link once:", "", `  ${link}`, ""]),
    isDetached ? `trimtab stop ${name} ends it.` : `${keys}Ctrl-C ends it.`,
  ].join("\n");
}

function describeNodes({
  groups,
  nodes,
  zones,
}: Pick<PreparedSettings, "groups" | "nodes" | "zones">): string {
  if (groups === undefined) return `${countText(nodes, "node")} in ${countText(zones, "zone")}`;
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return `${countText(count, "node")} in ${countText(groups.length, "group")}`;
}
