import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node as YamlNode,
  parseDocument,
  type YAMLMap,
} from "yaml";
import { type FieldError, formatFieldError } from "../../api/field-error.ts";
import { isJsonObject, type JsonObject } from "../../api/json.ts";
import { messageOf } from "../../api/message-of.ts";

/** A YAML document that knows where in the file each of its fields is. */
export interface LocatedYaml {
  readonly content: JsonObject;
  /** Errors as `file:line:column: field: …`, in the order of the file. */
  readonly format: (errors: readonly FieldError[]) => readonly string[];
  /** The line of a field, from 1 on, or of the object that should have it. */
  readonly lineOf: (field: string) => number;
}

export type ReadLocatedYaml =
  | { readonly ok: true; readonly document: LocatedYaml }
  | { readonly ok: false; readonly problems: readonly string[] };

export interface YamlFile {
  /** As messages name it. */
  readonly file: string;
  readonly text: string;
  /** What the file should have, as messages name it. */
  readonly kind: string;
}

/** Parses a file with one object; what is not YAML is reported with line and column, all of it. */
export function parseLocatedYaml({ file, text, kind }: YamlFile): ReadLocatedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ message, pos: [offset] }) => `${at(offset)}: ${message}`);
    return { ok: false, problems };
  }
  const content = contentOf(() => document.toJS({ maxAliasCount: 100 }) as unknown, kind);
  if (typeof content === "string") return { ok: false, problems: [`${file}: ${content}`] };
  const format = (errors: readonly FieldError[]) =>
    errors
      .map((error) => ({ error, offset: offsetOf(document.contents, error.field) }))
      .toSorted((a, b) => a.offset - b.offset)
      .map(({ error, offset }) => `${at(offset)}: ${formatFieldError(error)}`);
  const lineOf = (field: string) => lines.linePos(offsetOf(document.contents, field)).line;
  return { ok: true, document: { content, format, lineOf } };
}

function contentOf(read: () => unknown, kind: string): JsonObject | string {
  try {
    // Through JSON text, so that no value remains that only YAML has, such as a date.
    const content: unknown = JSON.parse(JSON.stringify(read() ?? {}));
    return isJsonObject(content) ? content : `an object was expected, with kind ${kind}`;
  } catch (error) {
    return messageOf(error);
  }
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
    if (name !== "" && path.startsWith(name) && /^([.[]|$)/.test(rest)) return [value ?? key, rest];
  }
  return undefined;
}
