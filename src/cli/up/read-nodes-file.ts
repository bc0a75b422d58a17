import { type FieldError, notSupported, required } from "../../api/field-error.ts";
import type { JsonObject } from "../../api/json.ts";
import { type ReadNodeGroups, readNodeGroups } from "../../cluster/node-groups/node-group-errors.ts";
import type { NodeGroup } from "../../cluster/node-groups/node-group.ts";
import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { parseLocatedYaml } from "../../machinery/yaml/located-yaml.ts";
import { decodeDocument, joinErrors } from "../../scheduler/configuration/decode-document.ts";

const apiVersion = "trimtab.dev/v1alpha1";
const kind = "NodeGroups";

const shape = { members: { apiVersion: "string", kind: "string", groups: "JSON" } };

/** The file as it is: the types of its groups are not checked yet. */
interface NodesDocument {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly groups?: unknown;
}

export type ReadNodesFile =
  | { readonly ok: true; readonly groups: readonly NodeGroup[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads a file with groups of nodes; returns all errors, one sentence each, with the line and column of each. */
export function readNodesFile(file: string): ReadNodesFile {
  const read = readTextFile(file);
  if (!read.ok) return { ok: false, problems: [`${file}: ${read.reason}`] };
  const parsed = parseLocatedYaml({ file, text: read.text, kind });
  if (!parsed.ok) return parsed;
  const { groups, errors } = readContent(parsed.document.content);
  return errors.length === 0 ? { ok: true, groups } : { ok: false, problems: parsed.document.format(errors) };
}

function readContent(content: JsonObject): ReadNodeGroups {
  const mistyped: FieldError[] = [];
  const { groups, ...head } = (decodeDocument(shape, content, { path: "", errors: mistyped }) ??
    {}) as NodesDocument;
  const read =
    groups === undefined ? { groups: [], errors: [required("groups")] } : readNodeGroups(groups, "groups");
  const errors = joinErrors(mistyped, [
    ...(head.apiVersion === apiVersion
      ? []
      : [notSupported("apiVersion", head.apiVersion ?? "", [apiVersion])]),
    ...(head.kind === kind ? [] : [notSupported("kind", head.kind ?? "", [kind])]),
    ...read.errors,
  ]);
  return { groups: read.groups, errors };
}
