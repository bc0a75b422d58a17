import { Lexer } from "yaml";
import { deepestNesting } from "../../api/parse-json.ts";

/** What a YAML text may cost. */
export interface YamlLimits {
  /** Tokens of the lexer; absent: any number. The parser is slow, and nothing else happens while it runs. */
  readonly tokens?: number;
  /** Absent: any number. */
  readonly aliases?: number;
  /** Characters of the value as JSON, aliases replaced; absent: only in proportion to the text. */
  readonly length?: number;
  /** Values, aliases replaced; absent: only in proportion to the text. */
  readonly values?: number;
}

/** Block nesting indents by at least a column per level, usually two. */
const widestIndentation = 2 * deepestNesting;

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
export function exceededYamlLimit(text: string, limits: YamlLimits): string | undefined {
  const counts: YamlCounts = { tokens: 0, aliases: 0, open: 0, indicators: 0, widest: 0 };
  let isText = false;
  for (const token of new Lexer().lex(text)) {
    counts.tokens += 1;
    if (!isText) effects.get(token.charAt(0))?.(counts, token);
    if (counts.open <= 0 && token.endsWith("\n")) counts.indicators = 0;
    const problem = problemOf(counts, limits);
    if (problem !== undefined) return problem;
    isText = token === scalarMark;
  }
  return undefined;
}

/** The lexer emits this token before the text of a scalar. */
const scalarMark = "\u{1F}";

function problemOf(
  { tokens, aliases, open, indicators, widest }: YamlCounts,
  limits: YamlLimits,
): string | undefined {
  if (tokens > (limits.tokens ?? Infinity))
    return `more than ${limits.tokens} YAML tokens; JSON may be larger`;
  if (aliases > (limits.aliases ?? Infinity)) return `more than ${limits.aliases} YAML aliases`;
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
