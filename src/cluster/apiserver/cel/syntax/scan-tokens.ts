import type { Problem } from "./problem.ts";

export type TokenKind =
  | "identifier"
  | "quoted-identifier"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "operator"
  | "end";

/** A part of an expression; for operators and words of the language the text says which. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: number;
}

/** The tokens of an expression, and the texts between them that are none. */
export interface Scanned {
  readonly tokens: readonly Token[];
  readonly problems: readonly Problem[];
}

const escape = String.raw`\\(?:[abfnrtv"'\\?${"`"}]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})`;
const quoted = [
  `"""(?:${escape}|[^\\\\])*?"""`,
  `'''(?:${escape}|[^\\\\])*?'''`,
  `"(?:${escape}|[^\\\\"\\n\\r])*"`,
  `'(?:${escape}|[^\\\\'\\n\\r])*'`,
].join("|");
const raw = String.raw`[rR](?:"""[^]*?"""|'''[^]*?'''|"[^"\n\r]*"|'[^'\n\r]*')`;

/** The rules of the language, in order: the first one that matches counts. */
const rules: readonly (readonly [TokenKind | "blank", RegExp])[] = [
  ["blank", /(?:[\t \r\n\f]+|\/\/[^\n]*)/y],
  ["string", new RegExp(`${raw}|${quoted}`, "y")],
  ["bytes", new RegExp(`[bB](?:${raw}|${quoted})`, "y")],
  ["double", /[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?/y],
  ["uint", /0x[0-9a-fA-F]+[uU]|[0-9]+[uU]/y],
  ["int", /0x[0-9a-fA-F]+|[0-9]+/y],
  ["operator", /(?:true|false|null|in)(?![A-Za-z0-9_])/y],
  ["identifier", /[A-Za-z_][A-Za-z0-9_]*/y],
  ["quoted-identifier", /`[A-Za-z0-9_.\-/ ]+`/y],
  ["operator", /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y],
];

/** Splits an expression into tokens; the last one has the kind `end`. */
export function scanTokens(text: string): Scanned {
  const tokens: Token[] = [];
  const problems: Problem[] = [];
  let at = 0;
  while (at < text.length) {
    const found = tokenAt(text, at);
    if (found === undefined) {
      const unknown = unrecognized(text, at);
      problems.push({ at, message: `Syntax error: token recognition error at: '${unknown}'` });
      at += unknown.length;
      continue;
    }
    if (found.kind !== "blank") tokens.push({ kind: found.kind, text: found.text, at });
    at += found.text.length;
  }
  tokens.push({ kind: "end", text: "<EOF>", at: text.length });
  return { tokens, problems };
}

function tokenAt(text: string, at: number) {
  for (const [kind, rule] of rules) {
    rule.lastIndex = at;
    const match = rule.exec(text);
    if (match !== null) return { kind, text: match[0] };
  }
  return undefined;
}

/** Returns what is no token: a quoted text that does not end, half of an operator and what follows it, or a character. */
function unrecognized(text: string, at: number): string {
  const first = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (first === '"' || first === "'") return text.slice(at).split("\n", 1)[0] ?? first;
  const second = text.codePointAt(at + 1);
  return /[=|&]/.test(first) && second !== undefined ? first + String.fromCodePoint(second) : first;
}
