import {
  type Document,
  isScalar,
  LineCounter,
  parseAllDocuments,
  parseDocument,
  type Tags,
  visit,
} from "yaml";
import type { Json } from "../../api/json.ts";
import { messageOf } from "../../api/message-of.ts";
import { exceededYamlLimit, type YamlLimits } from "./yaml-limits.ts";
import { type YamlProblem, yamlValue } from "./yaml-value.ts";

/** How a text is read. */
export interface YamlOptions {
  /** The documents that count: the first of any number, the only one, or all of them. */
  readonly documents: "first" | "single" | "all";
  readonly limits?: YamlLimits;
  /** Returns duplicate keys with the document; absent: refuses the text. */
  readonly allowRepeatedKeys?: boolean;
  /** Absent: 1.2. */
  readonly version?: "1.1" | "1.2";
  readonly customTags?: (tags: Tags) => Tags;
}

/** A position in a text, both from 1 on. */
export interface YamlPosition {
  readonly line: number;
  readonly column: number;
}

/** A problem of a text; without a position it concerns the whole text. */
export interface PlacedProblem {
  readonly message: string;
  readonly at?: YamlPosition;
}

/** A problem as a sentence, with its position. */
export function problemText({ message, at }: PlacedProblem): string {
  return at === undefined ? message : `${message} at line ${at.line}, column ${at.column}`;
}

/** A document as JSON. */
export interface YamlDocument {
  readonly value: Json;
  /** The nodes of the document, which have offsets. */
  readonly contents: unknown;
  /** Duplicate keys, at most a hundred; the last value of each counts. */
  readonly repeatedKeys: readonly { readonly key: unknown; readonly at: YamlPosition }[];
}

export type ParsedYaml =
  | {
      readonly ok: true;
      readonly documents: readonly YamlDocument[];
      readonly positionOf: (offset: number) => YamlPosition;
    }
  | { readonly ok: false; readonly problems: readonly [PlacedProblem, ...PlacedProblem[]] };

/** Parses untrusted YAML, in time proportional to its length; what is malformed or exceeds a limit is a problem, not an exception. */
export function parseYaml(text: string, options: YamlOptions): ParsedYaml {
  try {
    const exceeded = exceededYamlLimit(text, options.limits ?? {});
    return exceeded === undefined ? parseWithin(text, options) : refused([{ message: exceeded }]);
  } catch (error) {
    // Whatever the library throws, the text is at fault.
    return refused([{ message: messageOf(error) }]);
  }
}

function refused([first = { message: "malformed" }, ...others]: readonly PlacedProblem[]): ParsedYaml {
  return { ok: false, problems: [first, ...others] };
}

function parseWithin(text: string, options: YamlOptions): ParsedYaml {
  const lines = new LineCounter();
  const positionOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const placed = ({ message, offset }: YamlProblem): PlacedProblem =>
    offset === undefined ? { message } : { message, at: positionOf(offset) };
  const found = documentsIn(text, options, lines);
  const malformed = found.flatMap(({ errors }) => errors).filter(isCounted(options));
  if (malformed.length > 0)
    return refused(
      malformed.map(({ code, message, pos: [offset] }) =>
        placed({ message: code === several ? "more than one document" : message, offset }),
      ),
    );
  const documents: YamlDocument[] = [];
  for (const document of found) {
    const converted = yamlValue(document, options.limits ?? {});
    if (!converted.ok) return refused([placed(converted.problem)]);
    const repeatedKeys = repeatedKeysOf(document).map(({ key, offset }) => ({ key, at: positionOf(offset) }));
    documents.push({ value: converted.value, contents: document.contents, repeatedKeys });
  }
  const repeated = documents.flatMap(({ repeatedKeys }) => repeatedKeys);
  return repeated.length > 0 && options.allowRepeatedKeys !== true
    ? refused(repeated.map(({ at }) => ({ message: "Map keys must be unique", at })))
    : { ok: true, documents, positionOf };
}

const several = "MULTIPLE_DOCS";

const isCounted =
  ({ documents }: YamlOptions) =>
  ({ code }: { readonly code: string }) =>
    code !== several || documents === "single";

function documentsIn(text: string, options: YamlOptions, lineCounter: LineCounter): readonly Document[] {
  const { documents, version = "1.2", customTags } = options;
  const settings = {
    version,
    lineCounter,
    prettyErrors: false,
    // The library compares each key with all others of its object.
    uniqueKeys: false,
    // Sets, dates and the like are not JSON.
    resolveKnownTags: false,
    ...(customTags !== undefined && { customTags }),
  } as const;
  if (documents !== "all") return [parseDocument(text, settings)];
  const all = parseAllDocuments(text, settings);
  return "empty" in all ? [] : all;
}

const mostRepeatedKeys = 100;

function repeatedKeysOf(document: Document) {
  const found: { readonly key: unknown; readonly offset: number }[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (found.length >= mostRepeatedKeys) return visit.BREAK;
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) found.push({ key: key.value, offset: key.range?.[0] ?? 0 });
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}
