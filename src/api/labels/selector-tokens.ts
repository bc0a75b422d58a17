type Punctuation = "=" | "==" | "!=" | "!" | ">" | "<" | "(" | ")" | ",";

/** A piece of a selector: punctuation, a word (keys, values, `in`, `notin`), or the end. */
export interface Token {
  readonly kind: Punctuation | "word" | "end";
  readonly text: string;
}

/** Reads tokens one by one; past the end there is only the end. */
export interface TokenReader {
  peek(): Token;
  next(): Token;
}

const end: Token = { kind: "end", text: "" };
const pieces = /==|!=|[=!()<>,]|[^=!()<>, \t\r\n]+/g;
const punctuation: ReadonlySet<string> = new Set<Punctuation>([
  "=",
  "==",
  "!=",
  "!",
  ">",
  "<",
  "(",
  ")",
  ",",
]);

const isPunctuation = (text: string): text is Punctuation => punctuation.has(text);

/** Splits a label selector into tokens; white space only separates. */
export function readTokens(text: string): TokenReader {
  const tokens = (text.match(pieces) ?? []).map((piece): Token => ({
    kind: isPunctuation(piece) ? piece : "word",
    text: piece,
  }));
  let position = 0;
  return {
    peek: () => tokens[position] ?? end,
    next: () => tokens[position++] ?? end,
  };
}
