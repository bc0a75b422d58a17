import { apiTypeSchema } from "./api-type-schema.ts";
import type { DocumentSchema, Members } from "./document-schema.ts";

/** A JSON Schema, as editors read it. */
export type JsonSchema = Omit<DocumentSchema, "apiType" | "check" | "decoded"> & {
  readonly $schema?: string;
};

/** The schema of a document as a JSON Schema: what `check` finds is left to the reader. */
export function toJsonSchema(schema: DocumentSchema): JsonSchema {
  const { $id, title, ...words } = published(schema);
  const head = { ...($id !== undefined && { $id }), ...(title !== undefined && { title }) };
  return { $schema: "http://json-schema.org/draft-07/schema#", ...head, ...words };
}

function published(schema: DocumentSchema): JsonSchema {
  const words = Object.entries(schema).filter(([word]) => !ours.has(word));
  const own: JsonSchema = Object.fromEntries(
    words.map(([word, value]) => [word, publishedWord(word, value)]),
  );
  return schema.apiType === undefined ? own : { ...published(apiTypeSchema(schema.apiType)), ...own };
}

const ours: ReadonlySet<string> = new Set(["apiType", "check"] satisfies (keyof DocumentSchema)[]);

/** Converts the value of a keyword; nested schemas lose our own keywords, too. */
function publishedWord(word: string, value: unknown): unknown {
  switch (word) {
    case "properties":
      return Object.fromEntries(
        Object.entries(value as Members).map(([name, each]) => [name, published(each)]),
      );
    case "anyOf":
      return (value as readonly DocumentSchema[]).map(published);
    case "items":
    case "additionalProperties":
      return value === false ? value : published(value as DocumentSchema);
    default:
      return value;
  }
}
