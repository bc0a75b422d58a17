import {
  type Document,
  isScalar,
  Lexer,
  LineCounter,
  parseDocument,
  type Scalar,
  type ScalarTag,
  type Tags,
  visit,
} from "yaml";
import type { Json } from "../../../api/json.ts";
import { messageOf } from "../../../api/message-of.ts";
import { deepestNesting, type ParsedJson, parseJson } from "../../../api/parse-json.ts";

/**
 * Reads the first YAML document of a text as the JSON value it stands for, and no others, as Kubernetes does; of a key
 * that is there twice the last one counts. Where the text has to be `single`, further documents are an error.
 */
export function readYaml(text: string, documents: "first" | "single" = "first"): ParsedJson {
  try {
    const exceeded = exceededYamlLimit(text);
    if (exceeded !== undefined) return { ok: false, error: exceeded };
    const lines = new LineCounter();
    const document = parseDocument(text, { ...likeKubernetes, lineCounter: lines });
    const problem = document.errors.find(({ code }) => code !== "MULTIPLE_DOCS");
    if (problem !== undefined) return { ok: false, error: `invalid YAML: ${problem.message}` };
    if (documents === "single" && document.errors.length > 0)
      return { ok: false, error: "invalid YAML: more than one document" };
    const value = document.toJS({ maxAliasCount: maxAliases }) as Json;
    if (isLongerThan(value, longestJson))
      return { ok: false, error: `more than ${longestJson} bytes when its YAML aliases are replaced` };
    // By way of JSON text, so that values only YAML has (dates, sets, keys that are no strings) cannot get in.
    const parsed = parseJson(JSON.stringify(value, checkFinite) ?? "null");
    return parsed.ok ? { ...parsed, duplicates: repeatedKeys(document, lines) } : parsed;
  } catch (error) {
    // The parser throws for aliases that are unresolved or expand too far; whatever it throws, the text is at fault.
    return { ok: false, error: `invalid YAML: ${messageOf(error)}` };
  }
}

/** `.inf` and `.nan` would silently become null. */
function checkFinite(_name: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value))
    throw new RangeError(`unsupported value: ${value}`);
  return value;
}

/** Types that the parser of Kubernetes leaves as the text they are written in. */
const textTags: ReadonlySet<string> = new Set(
  ["omap", "pairs", "set", "timestamp"].map((name) => `tag:yaml.org,2002:${name}`),
);
const isTextTag = (tag: Tags[number]) =>
  typeof tag === "object" && (textTags.has(tag.tag) || ("format" in tag && tag.format === "TIME"));

/** `0o644`, an octal number of YAML 1.2, which the parser of Kubernetes reads all the same. */
export const octalTag: ScalarTag = {
  default: true,
  tag: "tag:yaml.org,2002:int",
  test: /^[-+]?0o[0-7][0-7_]*$/i,
  resolve: (text) => Number.parseInt(text.replace(/o|_/gi, ""), 8),
};

/** `!!binary aGk=` is the text `hi`. */
const binaryTag: ScalarTag = {
  tag: "tag:yaml.org,2002:binary",
  resolve: (text) => Buffer.from(text, "base64").toString(),
};

/** YAML 1.1, as Kubernetes reads it: `0644` is octal, `yes` is true, `<<` merges. */
const likeKubernetes = {
  version: "1.1",
  prettyErrors: false,
  uniqueKeys: false,
  customTags: (tags: Tags) => [binaryTag, ...tags.filter((tag) => !isTextTag(tag)), octalTag],
} as const;

/** Each may become a warning. */
const mostRepeatedKeys = 100;

/** `line 3: key "a" already set in map`, for each key that a mapping has once more. */
function repeatedKeys(document: Document, lines: LineCounter): readonly string[] {
  const found: string[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (found.length >= mostRepeatedKeys) return visit.BREAK;
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) found.push(repeatedKey(key, lines));
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}

/** Errors of YAML as one, as Kubernetes reports them. */
export function yamlErrors(errors: readonly string[]): string {
  return ["yaml: unmarshal errors:", ...errors.map((error) => `  ${error}`)].join("\n");
}

function repeatedKey({ value, range }: Scalar, lines: LineCounter): string {
  const { line } = lines.linePos(range?.[0] ?? 0);
  return `line ${line}: key ${JSON.stringify(value)} already set in map`;
}

/** About eight thousand lines. The parser is slow, and no other request is served while it runs. */
const maxTokens = 50_000;
/** Aliases could expand a small text into a very large value. */
const maxAliases = 100;
/** The limit of bodies, which aliases must not multiply. */
const longestJson = 3 * 1024 * 1024;
/** Block nesting indents by at least a column per level, usually two. */
const widestIndentation = 2 * deepestNesting;

/** Whether a value is longer than a limit as JSON; also ends where an alias makes it contain itself. */
function isLongerThan(value: Json | undefined, limit: number): boolean {
  const pending = [value];
  let length = 0;
  while (pending.length > 0 && length <= limit) {
    const next = pending.pop();
    if (typeof next === "string") length += next.length;
    else if (typeof next === "object" && next !== null) {
      // Not spread into `push`: a list may have more items than a call has arguments.
      for (const [name, member] of Object.entries(next)) {
        length += Array.isArray(next) ? 0 : name.length;
        pending.push(member);
      }
    }
    length += 1;
  }
  return length > limit;
}

/** What the lexer has found so far. */
interface YamlCounts {
  tokens: number;
  aliases: number;
  /** Open brackets. */
  open: number;
  /** Nested indicators such as `- - - x`, in one line or in one element between brackets. */
  indicators: number;
  widest: number;
}

/**
 * Returns the limit that a YAML text exceeds: its size, or a nesting so deep that the recursive parser would overflow
 * the stack. Lexing is cheap compared with parsing.
 */
function exceededYamlLimit(text: string): string | undefined {
  const counts: YamlCounts = { tokens: 0, aliases: 0, open: 0, indicators: 0, widest: 0 };
  let isText = false;
  for (const token of new Lexer().lex(text)) {
    counts.tokens += 1;
    if (!isText) effects.get(token.charAt(0))?.(counts, token);
    if (counts.open <= 0 && token.endsWith("\n")) counts.indicators = 0;
    const problem = problemOf(counts);
    if (problem !== undefined) return problem;
    isText = token === scalarMark;
  }
  return undefined;
}

/** The lexer emits this token before the text of a scalar. */
const scalarMark = "\u{1F}";

function problemOf({ tokens, aliases, open, indicators, widest }: YamlCounts): string | undefined {
  if (tokens > maxTokens) return `more than ${maxTokens} YAML tokens; JSON may be larger`;
  if (aliases > maxAliases) return `more than ${maxAliases} YAML aliases`;
  const isDeep = Math.max(open, indicators) > deepestNesting || widest > widestIndentation;
  return isDeep ? `exceeded max depth of ${deepestNesting}` : undefined;
}

type Effect = (counts: YamlCounts, token: string) => void;

const opens: Effect = (counts) => void (counts.open += 1);
const closes: Effect = (counts) => void (counts.open -= 1);
const indicates: Effect = (counts) => void (counts.indicators += 1);
const separates: Effect = (counts, { length }) => void (counts.widest = Math.max(counts.widest, length));

/** What a token counts as, by its first character. */
const effects: ReadonlyMap<string, Effect> = new Map([
  ["*", (counts) => void (counts.aliases += 1)],
  ["[", opens],
  ["{", opens],
  ["]", closes],
  ["}", closes],
  ["-", indicates],
  ["?", indicates],
  [":", indicates],
  [",", (counts) => void (counts.indicators = 0)],
  [" ", separates],
  ["\t", separates],
]);
