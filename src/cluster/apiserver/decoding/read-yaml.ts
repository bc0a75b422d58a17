import { Lexer, parseDocument } from "yaml";
import type { Json } from "../../../api/json.ts";
import { messageOf } from "../../../api/message-of.ts";
import { deepestNesting, type ParsedJson, parseJson } from "../../../api/parse-json.ts";

/** Reads one YAML document as the JSON value it stands for. */
export function readYaml(text: string): ParsedJson {
  try {
    const absurdity = exceededYamlLimit(text);
    if (absurdity !== undefined) return { ok: false, error: absurdity };
    const document = parseDocument(text, { prettyErrors: false });
    const [problem] = document.errors;
    if (problem !== undefined) return { ok: false, error: `invalid YAML: ${problem.message}` };
    // Through text, so that what YAML alone can say (dates, sets, keys that are no strings) cannot slip in.
    return parseJson(JSON.stringify(document.toJS({ maxAliasCount: maxAliases }) as Json) ?? "null");
  } catch (error) {
    return { ok: false, error: `invalid YAML: ${messageOf(error)}` };
  }
}

/** Some eight thousand lines. The reader is slow, and nothing else is served while it reads. */
const maxTokens = 50_000;
/** Aliases may not blow a small text up into a large value. */
const maxAliases = 100;
/** What nests without brackets goes to the right, by a column or two each time. */
const widestIndentation = 2 * deepestNesting;

/** What has been come upon in a text so far. */
interface YamlCounts {
  tokens: number;
  aliases: number;
  /** Brackets that are open. */
  open: number;
  /** `- - - x`: those of one line, or of one element between brackets. */
  indicators: number;
  widest: number;
}

/**
 * Why a YAML text is not even read: there is too much of it, or it nests so deep that its reader, which recurses, would
 * end the process. Tokens come one by one and cost little beside what is made of them.
 */
function exceededYamlLimit(text: string): string | undefined {
  const tally: YamlCounts = { tokens: 0, aliases: 0, open: 0, indicators: 0, widest: 0 };
  let isText = false;
  for (const token of new Lexer().lex(text)) {
    tally.tokens += 1;
    if (!isText) effects.get(token.charAt(0))?.(tally, token);
    if (tally.open <= 0 && token.endsWith("\n")) tally.indicators = 0;
    const problem = problemOf(tally);
    if (problem !== undefined) return problem;
    isText = token === scalarMark;
  }
  return undefined;
}

/** The lexer says this before it gives the text of a scalar. */
const scalarMark = "\u{1F}";

function problemOf({ tokens, aliases, open, indicators, widest }: YamlCounts): string | undefined {
  if (tokens > maxTokens) return `more than ${maxTokens} YAML tokens; JSON may be larger`;
  if (aliases > maxAliases) return `more than ${maxAliases} YAML aliases`;
  const isDeep = Math.max(open, indicators) > deepestNesting || widest > widestIndentation;
  return isDeep ? `exceeded max depth of ${deepestNesting}` : undefined;
}

type Effect = (tally: YamlCounts, token: string) => void;

const opens: Effect = (tally) => void (tally.open += 1);
const closes: Effect = (tally) => void (tally.open -= 1);
const indicates: Effect = (tally) => void (tally.indicators += 1);
const separates: Effect = (tally, { length }) => void (tally.widest = Math.max(tally.widest, length));

/** By the first character of a token. */
const effects: ReadonlyMap<string, Effect> = new Map([
  ["*", (tally) => void (tally.aliases += 1)],
  ["[", opens],
  ["{", opens],
  ["]", closes],
  ["}", closes],
  ["-", indicates],
  ["?", indicates],
  [":", indicates],
  [",", (tally) => void (tally.indicators = 0)],
  [" ", separates],
  ["\t", separates],
]);
