import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node as YamlNode,
  parseDocument,
  type YAMLMap,
} from "yaml";
import { type FieldError, formatFieldError, notSupported, required } from "../api/field-error.ts";
import { isJsonObject, type JsonObject } from "../api/json.ts";
import { messageOf } from "../api/message-of.ts";
import { type ReadNodeGroups, readNodeGroups } from "../cluster/node-groups/node-group-errors.ts";
import type { NodeGroup } from "../cluster/node-groups/node-group.ts";
import { readTextFile } from "../machinery/client/text-file.ts";
import { decodeDocument, joinErrors } from "../scheduler/configuration/decode-document.ts";

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
  const lines = new LineCounter();
  const document = parseDocument(read.text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0)
    return {
      ok: false,
      problems: document.errors.map(({ message, pos: [offset] }) => `${at(offset)}: ${message}`),
    };
  const content = contentOf(() => document.toJS({ maxAliasCount: 100 }) as unknown);
  if (typeof content === "string") return { ok: false, problems: [`${file}: ${content}`] };
  const { groups, errors } = readContent(content);
  if (errors.length === 0) return { ok: true, groups };
  const problems = errors
    .map((error) => ({ error, offset: offsetOf(document.contents, error.field) }))
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ error, offset }) => `${at(offset)}: ${formatFieldError(error)}`);
  return { ok: false, problems };
}

function contentOf(read: () => unknown): JsonObject | string {
  try {
    // Through JSON text, so that no value remains that only YAML has, such as a date.
    const content: unknown = JSON.parse(JSON.stringify(read() ?? {}));
    return isJsonObject(content) ? content : `an object was expected, with kind ${kind}`;
  } catch (error) {
    return messageOf(error);
  }
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

/** Where in the text the value of a field is, or the object that should have it. */
function offsetOf(contents: unknown, field: string): number {
  let node = contents;
  let rest = field;
  for (;;) {
    const next = stepInto(node, rest);
    if (next === undefined) break;
    [node, rest] = next;
  }
  return (node as YamlNode | null)?.range?.[0] ?? 0;
}

/** The value that a path begins with, and the rest of the path; keys of labels have dots themselves. */
function stepInto(node: unknown, path: string): readonly [unknown, string] | undefined {
  if (isSeq(node)) {
    const [all = "", index] = /^\[(\d+)\]/.exec(path) ?? [];
    return index === undefined ? undefined : [node.items[Number(index)], path.slice(all.length)];
  }
  return isMap(node) ? memberAt(node, path.replace(/^\./, "")) : undefined;
}

function memberAt({ items }: YAMLMap, path: string): readonly [unknown, string] | undefined {
  for (const { key, value } of items) {
    const name = isScalar(key) ? String(key.value) : "";
    const rest = path.slice(name.length);
    if (name !== "" && path.startsWith(name) && /^([.[]|$)/.test(rest)) return [value, rest];
  }
  return undefined;
}
