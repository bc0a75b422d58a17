import type { DocumentSchema } from "../../api/documents/document-schema.ts";
import { readDocument } from "../../api/documents/read-document.ts";
import { parseLocatedYaml, type YamlFile } from "../yaml/located-yaml.ts";

/** A document, or every mistake in its text: `file:line:column: field: what is wrong`. */
export type ReadYamlDocument<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the YAML or JSON text of a document. */
export function readYamlDocument<T>(schema: DocumentSchema<T>, file: YamlFile): ReadYamlDocument<T> {
  const parsed = parseLocatedYaml(file);
  if (!parsed.ok) return parsed;
  const read = readDocument(schema, parsed.document.content);
  return read.ok ? read : { ok: false, problems: parsed.document.format(read.errors) };
}
