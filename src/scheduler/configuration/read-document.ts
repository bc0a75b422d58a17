import { LineCounter, parseDocument } from "yaml";
import { type FieldError, invalid } from "../../api/field-error.ts";
import { isJsonObject, type JsonObject } from "../../api/json.ts";
import { messageOf } from "../../api/message-of.ts";
import { parseJson } from "../../api/parse-json.ts";

/** The one object a file holds, or what is wrong with its text and where. */
export type ReadDocument =
  | { readonly ok: true; readonly document: JsonObject }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

// A scheduler configuration has no use for aliases that multiply.
const maxAliasCount = 100;

/** Reads a YAML or JSON file; a key that is there twice is a mistake, not a choice. */
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

/** Through text, so that what YAML alone can say (dates, sets, keys that are no strings) cannot slip in. */
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
