import { LineCounter, parseDocument } from "yaml";
import { type FieldError, invalid } from "../../api/field-error.ts";
import { isJsonObject, type JsonObject } from "../../api/json.ts";
import { messageOf } from "../../api/message-of.ts";
import { parseJson } from "../../api/parse-json.ts";

/** The object in a file, or what is wrong with its text and where. */
export type ReadDocument =
  | { readonly ok: true; readonly document: JsonObject }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

// Limits what nested YAML aliases can expand to.
const maxAliasCount = 100;

/** Reads a YAML or JSON file; a duplicate key is an error. */
export function readDocument(text: string): ReadDocument {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: true });
  if (document.errors.length > 0) {
    const errors = document.errors.map(({ message, pos: [offset] }) => {
      const { line, col } = lineCounter.linePos(offset);
      return { ...invalid(`line ${line}, column ${col}`, undefined, message) };
    });
    return { ok: false, errors };
  }
  return objectIn(() => document.toJS({ maxAliasCount }) as unknown);
}

/** Converts through JSON text, so that no value remains that only YAML has (dates, sets, keys that are no strings). */
function objectIn(content: () => unknown): ReadDocument {
  try {
    const parsed = parseJson(JSON.stringify(content()) ?? "null");
    if (!parsed.ok) return wrong(parsed.error);
    return isJsonObject(parsed.value)
      ? { ok: true, document: parsed.value }
      : wrong("holds no object; expected a KubeSchedulerConfiguration");
  } catch (error) {
    return wrong(messageOf(error));
  }
}

function wrong(detail: string): ReadDocument {
  return { ok: false, errors: [invalid("the file", undefined, detail)] };
}
