import { type FieldError, formatFieldError, invalid } from "../field-error.ts";
import {
  type LabelRequirement,
  type LabelSelection,
  parseLabelInteger,
  selectionOf,
} from "./label-selector.ts";
import { labelValueProblems, qualifiedNameProblems } from "./label-syntax.ts";

/** A selector, or the error that Kubernetes reports for the text. */
export type ParsedLabelSelector =
  | { readonly ok: true; readonly selection: LabelSelection }
  | { readonly ok: false; readonly error: string };

interface Failure {
  readonly error: string;
}

const failed = (error: string): Failure => ({ error });
const expected = (token: Token, wanted: string): Failure =>
  failed(`found '${token.text}', expected: ${wanted}`);

/** Reads the query-string form: `a=b,c!=d,e in (x,y),f notin (z),g,!h,i>1`. Blank text selects everything. */
export function parseLabelSelector(text: string): ParsedLabelSelector {
  const tokens = readTokens(text);
  const requirements: LabelRequirement[] = [];
  if (tokens.peek().kind === "end") return { ok: true, selection: selectionOf([]) };
  for (;;) {
    const start = tokens.peek();
    if (start.kind !== "word" && start.kind !== "!") {
      const wanted = requirements.length === 0 ? "!, identifier, or 'end of string'" : "identifier after ','";
      return { ok: false, ...expected(start, wanted) };
    }
    const requirement = readRequirement(tokens);
    if ("error" in requirement)
      return { ok: false, error: `unable to parse requirement: ${requirement.error}` };
    requirements.push(requirement);
    const after = tokens.next();
    if (after.kind === "end") return { ok: true, selection: selectionOf(requirements) };
    if (after.kind !== ",") return { ok: false, ...expected(after, "',' or 'end of string'") };
  }
}

function readRequirement(tokens: TokenReader): LabelRequirement | Failure {
  const negated = tokens.peek().kind === "!";
  if (negated) tokens.next();
  const name = tokens.next();
  if (name.kind !== "word") return expected(name, "identifier");
  const key = name.text;
  const keyProblems = qualifiedNameProblems(key);
  if (keyProblems.length > 0)
    return failed(`<nil>: Invalid value: ${JSON.stringify(key)}: ${keyProblems.join("; ")}`);
  if (negated) return { operator: "absent", key };
  const following = tokens.peek().kind;
  if (following === "end" || following === ",") return { operator: "exists", key };
  return checked(readComparison(tokens, key));
}

function readComparison(tokens: TokenReader, key: string): LabelRequirement | Failure {
  const token = tokens.next();
  const operator = token.kind === "word" ? token.text : token.kind;
  switch (operator) {
    case "in":
    case "notin": {
      const values = readValueSet(tokens);
      return "error" in values ? values : { operator, key, values };
    }
    case "=":
    case "==":
    case "!=":
    case ">":
    case "<": {
      const value = readValue(tokens);
      return typeof value === "string" ? { operator, key, value } : value;
    }
    default:
      return expected(token, "in, notin, =, ==, !=, gt, lt");
  }
}

function readValue(tokens: TokenReader): string | Failure {
  const { kind } = tokens.peek();
  if (kind === "end" || kind === ",") return "";
  const token = tokens.next();
  return token.kind === "word" ? token.text : expected(token, "identifier");
}

/** `(x,y)`: an empty place is the empty value, so `(x,)` is x or empty, and `()` empty. */
function readValueSet(tokens: TokenReader): readonly string[] | Failure {
  const open = tokens.next();
  if (open.kind !== "(") return failed(`found '${open.text}' expected: '('`);
  const values = new Set<string>();
  for (;;) {
    const place = tokens.peek();
    if (place.kind === "word") values.add(tokens.next().text);
    else if (place.kind === "," || place.kind === ")") values.add("");
    else return expected(place, values.size === 0 ? "',', ')' or identifier" : "',', or identifier");
    const separator = tokens.next();
    if (separator.kind === ")") return [...values].sort();
    if (separator.kind !== ",") return expected(separator, "',' or ')'");
  }
}

function checked(requirement: LabelRequirement | Failure): LabelRequirement | Failure {
  if ("error" in requirement) return requirement;
  const errors = operandErrors(requirement).map(formatFieldError);
  if (errors.length === 0) return requirement;
  return failed(errors.length === 1 ? errors.join("") : `[${errors.join(", ")}]`);
}

function operandErrors(requirement: LabelRequirement): FieldError[] {
  const { operator, key } = requirement;
  const errors: FieldError[] = [];
  if ((operator === ">" || operator === "<") && parseLabelInteger(requirement.value) === undefined) {
    const detail = "for 'Gt', 'Lt' operators, the value must be an integer";
    errors.push(invalid("values[0]", requirement.value, detail));
  }
  const values =
    "values" in requirement ? requirement.values : "value" in requirement ? [requirement.value] : [];
  for (const [index, value] of values.entries()) {
    const problems = labelValueProblems(value);
    if (problems.length > 0) errors.push(invalid(`values[${index}][${key}]`, value, problems.join("; ")));
  }
  return errors;
}

type Punctuation = "=" | "==" | "!=" | "!" | ">" | "<" | "(" | ")" | ",";

/** A piece of a selector: punctuation, a word (keys, values, `in`, `notin`), or the end. */
interface Token {
  readonly kind: Punctuation | "word" | "end";
  readonly text: string;
}

/** Reads tokens one by one; past the end there is only the end. */
interface TokenReader {
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
function readTokens(text: string): TokenReader {
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
