import { nodeGroupsKind, nodeGroupsSchema } from "../../cluster/node-groups/node-group-schema.ts";
import type { NodeGroup } from "../../cluster/node-groups/node-group.ts";
import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { readYamlDocument } from "../../machinery/documents/read-yaml-document.ts";
import type { SchedulerConfig } from "../../scheduler/configuration/scheduler-config.ts";
import { type Manifest, readManifests } from "../read-manifests.ts";
import { manifestSimulationProblems } from "./manifest-simulation.ts";
import { readSchedulerConfig } from "../control-plane/read-scheduler-config.ts";
import type { UpSettings } from "./up-settings.ts";

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
