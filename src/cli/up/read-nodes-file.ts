import { nodeGroupsKind, nodeGroupsSchema } from "../../cluster/node-groups/node-group-schema.ts";
import type { NodeGroup } from "../../cluster/node-groups/node-group.ts";
import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { readYamlDocument } from "../../machinery/documents/read-yaml-document.ts";

export type ReadNodesFile =
  | { readonly ok: true; readonly groups: readonly NodeGroup[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads a file with groups of nodes; returns all errors, one sentence each, with the line and column of each. */
export function readNodesFile(file: string): ReadNodesFile {
  const found = readTextFile(file);
  if (!found.ok) return { ok: false, problems: [`${file}: ${found.reason}`] };
  const read = readYamlDocument(nodeGroupsSchema, { file, text: found.text, kind: nodeGroupsKind });
  return read.ok ? { ok: true, groups: read.value.groups } : read;
}
