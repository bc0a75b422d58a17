import { nodeGroupsKind, nodeGroupsSchema } from "../../cluster/node-groups/node-group-schema.ts";
import type { NodeGroup } from "../../cluster/node-groups/node-group.ts";
import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { readYamlDocument } from "../../machinery/yaml/located-yaml.ts";
import type { SchedulerConfig } from "../../scheduler/configuration/scheduler-config.ts";
import { type Manifest, readManifests } from "../read-manifests.ts";
import { readSchedulerConfig } from "../control-plane/read-scheduler-config.ts";
import type { UpSettings } from "./up-settings.ts";
import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import {
  nodeSimulationProblems,
  podSimulationProblems,
  type SimulationProblem,
} from "../../cluster/kubelet/behaviour/simulation-problems.ts";
import { loadAnnotation } from "../../cluster/simulated-metrics/annotated-load.ts";

/** What the files that the flags of `trimtab up` name contain. */
export interface UpFiles {
  readonly manifests: readonly Manifest[];
  readonly schedulerConfig: SchedulerConfig;
  /** Absent: equal nodes. */
  readonly groups: readonly NodeGroup[] | undefined;
  readonly warnings: readonly string[];
}

export type ReadUpFiles =
  | ({ readonly ok: true } & UpFiles)
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads all files; returns the errors of all, one sentence each. */
export function readUpFiles({
  manifests: names,
  nodesFile,
  gates,
  schedulerConfigFile,
}: UpSettings): ReadUpFiles {
  const manifests = readUpManifests(names);
  const scheduler = readSchedulerConfig(
    schedulerConfigFile,
    (gates.components.scheduler ?? gates.controllers)(),
  );
  const nodes =
    nodesFile === undefined ? ({ ok: true, groups: undefined } as const) : readNodesFile(nodesFile);
  if (manifests.ok && scheduler.ok && nodes.ok) {
    const { config: schedulerConfig, warnings } = scheduler;
    return { ok: true, manifests: manifests.manifests, schedulerConfig, warnings, groups: nodes.groups };
  }
  const problems = [
    manifests.ok ? [] : manifests.problems,
    scheduler.ok ? [] : scheduler.problems,
    nodes.ok ? [] : nodes.problems,
  ];
  return { ok: false, problems: problems.flat() };
}

function readUpManifests(names: readonly string[]) {
  const read = readManifests(names);
  if (!read.ok) return { ok: false, problems: [read.problem] } as const;
  const problems = read.manifests.flatMap(manifestSimulationProblems);
  return problems.length > 0 ? ({ ok: false, problems } as const) : read;
}

type ReadNodesFile =
  | { readonly ok: true; readonly groups: readonly NodeGroup[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads a file with groups of nodes; returns all errors, one sentence each, with the line and column of each. */
export function readNodesFile(file: string): ReadNodesFile {
  const found = readTextFile(file);
  if (!found.ok) return { ok: false, problems: [`${file}: ${found.reason}`] };
  const read = readYamlDocument(nodeGroupsSchema, { file, text: found.text, kind: nodeGroupsKind });
  return read.ok ? { ok: true, groups: read.value.groups } : read;
}

/** A sentence for each simulation setting of a manifest that is not known or makes no sense. */
export function manifestSimulationProblems({ resource, object, title }: Manifest): readonly string[] {
  return settingsOf(resource.kind, object).map(({ problem }) => `${title}: ${problem}`);
}

/** The settings of a workload are those of the Pods it makes, and its load, which an autoscaler may have as well. */
function settingsOf(kind: string, object: JsonObject): readonly SimulationProblem[] {
  const annotations = textsIn(memberOf(object, "metadata", "annotations"));
  if (kind === "Node") return nodeSimulationProblems(annotations);
  if (kind === "Pod" || kind === "Namespace")
    return podSimulationProblems({ annotations, labels: textsIn(memberOf(object, "metadata", "labels")) });
  const { [loadAnnotation]: load } = annotations;
  const template = templateMetadata(object);
  return [
    ...(load === undefined ? [] : podSimulationProblems({ annotations: { [loadAnnotation]: load } })),
    ...podSimulationProblems({
      annotations: textsIn(memberOf(template, "annotations")),
      labels: textsIn(memberOf(template, "labels")),
    }),
  ];
}

function templateMetadata(object: JsonObject): Json | undefined {
  const spec = memberOf(object, "spec", "jobTemplate", "spec") ?? memberOf(object, "spec");
  return memberOf(spec, "template", "metadata");
}

function memberOf(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((at, member) => (isJsonObject(at) ? at[member] : undefined), value);
}

function textsIn(value: Json | undefined): Readonly<Record<string, string>> {
  const entries = Object.entries(isJsonObject(value) ? value : {});
  return Object.fromEntries(
    entries.flatMap(([key, text]) => (typeof text === "string" ? [[key, text] as const] : [])),
  );
}
