import { type FieldError, invalid } from "../../api/field-error.ts";
import { isJsonObject, type JsonObject } from "../../api/json.ts";
import { parseYaml, type PlacedProblem } from "../../machinery/yaml/parse-yaml.ts";

/** The object in a file, or what is wrong with its text and where. */
export type ReadDocument =
  | { readonly ok: true; readonly document: JsonObject }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Reads a YAML or JSON file; a duplicate key is an error. */
export function readDocument(text: string): ReadDocument {
  const parsed = parseYaml(text, { documents: "single" });
  if (!parsed.ok) return wrong(parsed.problems);
  const [document] = parsed.documents;
  return isJsonObject(document?.value)
    ? { ok: true, document: document.value }
    : wrong([{ message: "holds no object; expected a KubeSchedulerConfiguration" }]);
}

function wrong(problems: readonly PlacedProblem[]): ReadDocument {
  const errors = problems.map(({ message, at }) =>
    invalid(at === undefined ? "the file" : `line ${at.line}, column ${at.column}`, undefined, message),
  );
  return { ok: false, errors };
}
