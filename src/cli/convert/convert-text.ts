import { Document, LineCounter, parseAllDocuments, type ParseOptions, type SchemaOptions } from "yaml";
import { convertSettings, type SettingMove, type SettingsForm } from "../../api/convert-settings.ts";
import { deepEqual } from "../../api/deep-equal.ts";
import { type FieldPath, formatFieldError } from "../../api/field-error.ts";
import type { Json } from "../../api/json.ts";
import { parseJson } from "../../api/parse-json.ts";
import { readYaml } from "../../cluster/apiserver/decoding/read-yaml.ts";
import { moveInYaml, offsetIn, readableMoves, takeOut } from "./move-in-yaml.ts";

/** A text with its settings in another form, or why it cannot be converted, with line and column. */
export type ConvertedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Converts all documents of a YAML or JSON text. What does not change keeps its bytes; what changes keeps order and comments. */
export function convertText(text: string, form: SettingsForm): ConvertedText {
  return /^\s*[[{]/.test(text) && parseJson(text).ok ? convertJson(text, form) : convertYaml(text, form);
}

function convertJson(text: string, form: SettingsForm): ConvertedText {
  const parsed = parseJson(text);
  if (!parsed.ok) return { ok: false, problems: [parsed.error] };
  const converted = convertSettings(parsed.value, form);
  if (!converted.ok)
    return { ok: false, problems: converted.errors.map(({ error }) => formatFieldError(error)) };
  if (converted.moves.length === 0) return { ok: true, text };
  return { ok: true, text: `${JSON.stringify(moved(parsed.value, converted.moves), undefined, 2)}\n` };
}

function moved(object: Json, moves: readonly SettingMove[]): unknown {
  const document = new Document(object);
  for (const { from, to, value } of moves) {
    takeOut(document, from);
    if (value !== undefined) document.setIn(to, value);
  }
  return document.toJS();
}

/** Keeps plain scalars as texts (`0644`, `yes`, `1.0`), since nothing here reads their values. */
const verbatim: ParseOptions & SchemaOptions = {
  schema: "failsafe",
  customTags: ["null"],
  prettyErrors: false,
};

function convertYaml(text: string, form: SettingsForm): ConvertedText {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { ...verbatim, lineCounter: lines });
  const documents = Array.isArray(parsed) ? parsed : [];
  const located = ({ offset, problem }: YamlProblem) => {
    const { line, col } = lines.linePos(offset);
    return `${line}:${col}: ${problem}`;
  };
  const errors = documents.flatMap((document) => document.errors);
  if (errors.length > 0) {
    const problems = errors.map(({ message, pos }) => located({ offset: pos[0], problem: message }));
    return { ok: false, problems };
  }
  const ends = documents.map(({ range }) => range[2]);
  const converted = documents.map((document, index) =>
    convertDocument(document, { text: text.slice(ends[index - 1] ?? 0, ends[index]), form }),
  );
  const problems = converted.flatMap((each) => (each.ok ? [] : each.problems.map(located)));
  const texts = converted.flatMap((each) => (each.ok ? [each.text] : []));
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, text: texts.join("") + text.slice(ends.at(-1) ?? 0) };
}

interface YamlProblem {
  readonly offset: number;
  readonly problem: string;
}

/** Converts one document, whose own text is given, or says what is wrong with it. */
function convertDocument(
  document: Document.Parsed,
  { text, form }: { readonly text: string; readonly form: SettingsForm },
):
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] } {
  const read = readYaml(text);
  if (!read.ok) return { ok: false, problems: [{ offset: document.range[0], problem: read.error }] };
  const converted = convertSettings(read.value, form);
  const at = (path: FieldPath, problem: string) => ({ offset: offsetIn(document, path), problem });
  if (!converted.ok)
    return {
      ok: false,
      problems: converted.errors.map(({ path, error }) => at(path, formatFieldError(error))),
    };
  if (converted.moves.length === 0) return { ok: true, text };
  const moves = readableMoves(document, converted.moves);
  const written = moveInYaml(document, { moves, text });
  if (!written.ok) return { ok: false, problems: [at(written.path, written.problem)] };
  const again = readYaml(written.text);
  if (again.ok && deepEqual(again.value, moved(read.value, moves))) return written;
  return {
    ok: false,
    problems: [at([], "this document cannot be written again without changing its values")],
  };
}
