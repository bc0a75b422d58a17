import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node as YamlNode,
  parseDocument,
  type YAMLMap,
} from "yaml";
import { type FieldError, formatFieldError } from "../api/field-error.ts";
import type { Json } from "../api/json.ts";
import { messageOf } from "../api/message-of.ts";

/** The content of a YAML or JSON text, and where in the text each field of it is. */
export interface LocatedYaml {
  readonly content: Json;
  /** Errors as sentences, in the order of the text: `cluster.yaml:3:5: spec.replicas: Invalid value: …`. */
  readonly locate: (errors: readonly FieldError[]) => readonly string[];
}

export type ReadYaml =
  | { readonly ok: true; readonly yaml: LocatedYaml }
  | { readonly ok: false; readonly problems: readonly string[] };

// Limits what nested YAML aliases can expand to.
const maxAliasCount = 100;

/** Reads a YAML or JSON text; `file` is its name in messages. All errors of the syntax are returned, each with its place. */
export function readLocatedYaml(text: string, file: string): ReadYaml {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: true });
  const at = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0)
    return {
      ok: false,
      problems: document.errors.map(({ message, pos: [offset] }) => `${at(offset)}: ${message}`),
    };
  try {
    // Through JSON text, so that no value remains that only YAML has, such as a date.
    const content = JSON.parse(JSON.stringify(document.toJS({ maxAliasCount }) ?? null)) as Json;
    const locate = (errors: readonly FieldError[]) =>
      errors
        .map((error) => ({ error, offset: offsetOf(document.contents, error.field) }))
        .toSorted((a, b) => a.offset - b.offset)
        .map(({ error, offset }) => `${at(offset)}: ${formatFieldError(error)}`);
    return { ok: true, yaml: { content, locate } };
  } catch (error) {
    // The library throws where aliases expand to too much.
    return { ok: false, problems: [`${file}: ${messageOf(error)}`] };
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
    if (name !== "" && path.startsWith(name) && /^([.[]|$)/.test(rest)) return [value, rest];
  }
  return undefined;
}
