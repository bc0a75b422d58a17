import { isMap, isScalar, isSeq, type Node as YamlNode, type YAMLMap } from "yaml";
import { type FieldError, formatFieldError } from "../../api/field-error.ts";
import { isJsonObject, type JsonObject } from "../../api/json.ts";
import { parseYaml, type PlacedProblem, type YamlDocument, type YamlPosition } from "./parse-yaml.ts";
import type { DocumentSchema } from "../../api/documents/document-schema.ts";
import { readDocument } from "../../api/documents/read-document.ts";

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

export type ReadLocatedDocuments =
  | { readonly ok: true; readonly documents: readonly LocatedYaml[] }
  | { readonly ok: false; readonly problems: readonly string[] };

interface YamlFile {
  /** As messages name it. */
  readonly file: string;
  readonly text: string;
  /** What the file should have, as messages name it. */
  readonly kind: string;
}

/** Parses a file with one object; what is not YAML is reported with line and column, all of it. */
export function parseLocatedYaml(source: YamlFile): ReadLocatedYaml {
  const read = readDocuments(source, "single");
  if (!read.ok) return read;
  const [document = located({ value: {}, contents: null }, source.file, startOfText)] = read.documents;
  return { ok: true, document };
}

/** Parses a file with any number of objects; documents without content are left out. */
export function parseLocatedDocuments(source: YamlFile): ReadLocatedDocuments {
  return readDocuments(source, "all");
}

const startOfText = () => ({ line: 1, column: 1 });

function readDocuments({ file, text, kind }: YamlFile, documents: "single" | "all"): ReadLocatedDocuments {
  const parsed = parseYaml(text, { documents });
  if (!parsed.ok) return { ok: false, problems: parsed.problems.map(problemIn(file)) };
  const found: LocatedYaml[] = [];
  for (const { value, contents } of parsed.documents) {
    if (value === null) continue;
    if (!isJsonObject(value)) {
      const problem = `${file}: an object was expected, with kind ${kind}`;
      return { ok: false, problems: [problem] };
    }
    found.push(located({ value, contents }, file, parsed.positionOf));
  }
  return { ok: true, documents: found };
}

const problemIn =
  (file: string) =>
  ({ message, at }: PlacedProblem): string =>
    at === undefined ? `${file}: ${message}` : `${file}:${at.line}:${at.column}: ${message}`;

/** The most errors that are reported: each costs a search in the document, and readers stop long before. */
const mostErrors = 100;

function located(
  { value: content, contents }: Pick<YamlDocument, "contents"> & { readonly value: JsonObject },
  file: string,
  positionOf: (offset: number) => YamlPosition,
): LocatedYaml {
  const format = (errors: readonly FieldError[]) => {
    const lines = errors
      .slice(0, mostErrors)
      .map((error) => ({ error, offset: offsetOf(contents, error.field) }))
      .toSorted((a, b) => a.offset - b.offset)
      .map(({ error, offset }) =>
        problemIn(file)({ message: formatFieldError(error), at: positionOf(offset) }),
      );
    const more = errors.length - mostErrors;
    return more > 0 ? [...lines, `${file}: ${more} more errors`] : lines;
  };
  return { content, format, lineOf: (field) => positionOf(offsetOf(contents, field)).line };
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

/** A document, or every mistake in its text: `file:line:column: field: what is wrong`. */
type ReadYamlDocument<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the YAML or JSON text of a document. */
export function readYamlDocument<T>(schema: DocumentSchema<T>, file: YamlFile): ReadYamlDocument<T> {
  const parsed = parseLocatedYaml(file);
  if (!parsed.ok) return parsed;
  const read = readDocument(schema, parsed.document.content);
  return read.ok ? read : { ok: false, problems: parsed.document.format(read.errors) };
}
