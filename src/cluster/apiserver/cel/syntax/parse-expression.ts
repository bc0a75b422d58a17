import { reservedWords } from "../types/escape-name.ts";
import type { CelValue } from "../values/cel-value.ts";
import { codePointsIn } from "../values/value-size.ts";
import { expandMacro } from "./expand-macro.ts";
import type { CallExpression, Expression, MapEntry } from "./expression.ts";
import { balanced, call, levels, literal, operatorName, words } from "./make-expression.ts";
import type { Problem } from "./problem.ts";
import { readBytes, readInt, readString, readUint } from "./read-literal.ts";
import { scanTokens, type Token } from "./scan-tokens.ts";

export type Parsed =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const longestText = 100_000;
const deepest = 250;
const mostProblems = 100;

/** Parses an expression, and expands its macros; reports the first problem. */
export function parseExpression(text: string): Parsed {
  const size = text.length > longestText ? codePointsIn(text) : 0;
  if (size > longestText) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${longestText}`;
    return { ok: false, problems: [{ at: -1, message }] };
  }
  const { tokens, problems } = scanTokens(text);
  try {
    const expression = new Parser(text, tokens).parse();
    return problems.length > 0
      ? { ok: false, problems: problems.slice(0, mostProblems) }
      : { ok: true, expression };
  } catch (error) {
    if (error instanceof SyntaxProblem)
      return { ok: false, problems: [...problems.slice(0, mostProblems), error.problem] };
    throw error;
  }
}

/** Ends the descent of the parser; it never leaves this file. */
class SyntaxProblem extends Error {
  readonly problem: Problem;
  constructor(at: number, message: string) {
    super(message);
    this.problem = { at, message };
  }
}

const beginnings =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

const markedBeginnings = beginnings.replace("'!',", "'!', '?',");

class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #position = 0;
  #depth = 0;
  #markable = -1;

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  parse(): Expression {
    const expression = this.#expression();
    const token = this.#next();
    if (token.kind === "end") return expression;
    const follows = this.#tokens[this.#position + 1]?.kind;
    const which = follows === "end" ? "extraneous" : "mismatched";
    throw new SyntaxProblem(token.at, `Syntax error: ${which} input '${token.text}' expecting <EOF>`);
  }

  #next(): Token {
    return this.#tokens[this.#position] ?? { kind: "end", text: "<EOF>", at: 0 };
  }

  #take(): Token {
    const token = this.#next();
    this.#position += 1;
    return token;
  }

  #takeIf(operator: string): Token | undefined {
    const { kind, text } = this.#next();
    return kind === "operator" && text === operator ? this.#take() : undefined;
  }

  #expect(operator: string, orComma = false): Token {
    const taken = this.#takeIf(operator);
    if (taken !== undefined) return taken;
    const { at, text, kind } = this.#next();
    if (orComma)
      throw new SyntaxProblem(at, `Syntax error: mismatched input '${text}' expecting {'${operator}', ','}`);
    if (kind === "end") throw new SyntaxProblem(at, `Syntax error: missing '${operator}' at '${text}'`);
    throw new SyntaxProblem(at, `Syntax error: mismatched input '${text}' expecting '${operator}'`);
  }

  #enter(): void {
    this.#depth += 1;
    if (this.#depth > deepest) throw new SyntaxProblem(-1, `expression recursion limit exceeded: ${deepest}`);
  }

  #expression(): Expression {
    this.#enter();
    const condition = this.#binary(0);
    const question = this.#takeIf("?");
    let expression = condition;
    if (question !== undefined) {
      const whenTrue = this.#binary(0);
      this.#expect(":");
      const whenFalse = this.#expression();
      expression = call(question.at, "_?_:_", [condition, whenTrue, whenFalse]);
    }
    this.#depth -= 1;
    return expression;
  }

  #binary(level: number): Expression {
    const operators = levels[level];
    if (operators === undefined) return this.#unary();
    const first = this.#binary(level + 1);
    const others: { readonly operator: Token; readonly operand: Expression }[] = [];
    while (this.#next().kind === "operator" && operators.has(this.#next().text)) {
      const operator = this.#take();
      others.push({ operator, operand: this.#binary(level + 1) });
      // Logical operators become a balanced tree, all others a tree as deep as the chain is long.
      if (level > 1 && others.length + this.#depth > deepest)
        throw new SyntaxProblem(-1, `expression recursion limit exceeded: ${deepest}`);
    }
    if (level <= 1)
      return balanced(
        [first, ...others.map(({ operand }) => operand)],
        others.map(({ operator }) => operator),
      );
    return others.reduce<Expression>(
      (left, { operator, operand }) => call(operator.at, operatorName(operator), [left, operand]),
      first,
    );
  }

  #unary(): Expression {
    const operators = [...this.#repeated("!")];
    if (operators.length === 0) operators.push(...this.#repeated("-"));
    const [first] = operators;
    if (first === undefined) return this.#member(undefined);
    const isNumber = /^(int|double)$/.test(this.#next().kind);
    if (first.text === "-" && operators.length === 1 && isNumber) return this.#member(first);
    const member = this.#member(undefined);
    // Two of them cancel each other out.
    return operators.length % 2 === 0 ? member : call(first.at, `${first.text}_`, [member]);
  }

  *#repeated(operator: string): Generator<Token> {
    for (let taken = this.#takeIf(operator); taken !== undefined; taken = this.#takeIf(operator)) yield taken;
  }

  #member(minus: Token | undefined): Expression {
    let expression = this.#primary(minus);
    for (let count = 0; ; count += 1) {
      if (count + this.#depth > deepest)
        throw new SyntaxProblem(-1, `expression recursion limit exceeded: ${deepest}`);
      const next = this.#selection(expression) ?? this.#index(expression);
      if (next === undefined) return expression;
      expression = next;
    }
  }

  #selection(operand: Expression): Expression | undefined {
    const dot = this.#takeIf(".");
    if (dot === undefined) return undefined;
    const isOptional = this.#takeIf("?") !== undefined;
    const name = this.#fieldName(dot);
    if (isOptional) return call(dot.at, "_?._", [operand, literal(name.at, name.text)]);
    const open = name.isQuoted ? undefined : this.#takeIf("(");
    if (open === undefined) return { kind: "select", at: dot.at, operand, field: name.text, isTest: false };
    const args = this.#arguments();
    return this.#call({ kind: "call", at: open.at, name: name.text, target: operand, args });
  }

  #fieldName(dot: Token): { readonly text: string; readonly at: number; readonly isQuoted: boolean } {
    const token = this.#next();
    if (token.kind === "identifier" || token.kind === "quoted-identifier") {
      this.#take();
      const isQuoted = token.kind === "quoted-identifier";
      return { text: isQuoted ? token.text.slice(1, -1) : token.text, at: token.at, isQuoted };
    }
    throw new SyntaxProblem(
      token.at,
      `Syntax error: no viable alternative at input '${this.#text.slice(dot.at, token.at)}${token.kind === "end" ? "" : token.text}'`,
    );
  }

  /** Takes the mark of an optional part; where it could stand, problems mention it. */
  #optionalMark(): boolean {
    if (this.#takeIf("?") !== undefined) return true;
    this.#markable = this.#position;
    return false;
  }

  #index(operand: Expression): Expression | undefined {
    const open = this.#takeIf("[");
    if (open === undefined) return undefined;
    const isOptional = this.#optionalMark();
    const index = this.#expression();
    this.#expect("]");
    return call(open.at, isOptional ? "_[?_]" : "_[_]", [operand, index]);
  }

  /** Reads arguments behind an opening parenthesis. */
  #arguments(): readonly Expression[] {
    if (this.#takeIf(")") !== undefined) return [];
    const args = [this.#expression()];
    while (this.#takeIf(",") !== undefined) args.push(this.#expression());
    this.#expect(")");
    return args;
  }

  #call(called: CallExpression): Expression {
    const expanded = expandMacro(called);
    if (expanded === undefined) return called;
    if ("problem" in expanded) throw new SyntaxProblem(expanded.problem.at, expanded.problem.message);
    return expanded;
  }

  #primary(minus: Token | undefined): Expression {
    const token = this.#next();
    const value = this.#literal(token, minus !== undefined);
    if (value !== undefined) {
      this.#take();
      return literal(minus?.at ?? token.at, value);
    }
    if (this.#takeIf("(") !== undefined) {
      const inside = this.#expression();
      this.#expect(")");
      return inside;
    }
    if (this.#takeIf("[") !== undefined) return this.#list(token);
    if (this.#takeIf("{") !== undefined) return this.#map(token);
    return this.#name();
  }

  #literal(token: Token, isNegative: boolean): CelValue | undefined {
    const { kind, text, at } = token;
    switch (kind) {
      case "int":
        return readInt(text, isNegative) ?? refuse(at, "invalid int literal");
      case "uint":
        return readUint(text) ?? refuse(at, "invalid uint literal");
      case "double":
        return Number.isFinite(Number(text))
          ? Number(text) * (isNegative ? -1 : 1)
          : refuse(at, "invalid double literal");
      case "string":
        return readString(text) ?? refuse(at, "invalid unicode code point");
      case "bytes":
        return readBytes(text);
      case "operator":
        return words.get(text);
      case "identifier":
      case "quoted-identifier":
      case "end":
        return undefined;
    }
  }

  #list(open: Token): Expression {
    const elements: Expression[] = [];
    const optionals = new Set<number>();
    while (this.#takeIf("]") === undefined) {
      if (this.#optionalMark()) optionals.add(elements.length);
      elements.push(this.#expression());
      if (this.#takeIf(",") !== undefined) continue;
      this.#expect("]", true);
      break;
    }
    return { kind: "list", at: open.at, elements, optionals };
  }

  #map(open: Token): Expression {
    const entries: MapEntry[] = [];
    while (this.#takeIf("}") === undefined) {
      const isOptional = this.#optionalMark();
      const key = this.#expression();
      const { at } = this.#expect(":");
      entries.push({ at, key, value: this.#expression(), isOptional });
      if (this.#takeIf(",") !== undefined) continue;
      this.#expect("}", true);
      break;
    }
    return { kind: "map", at: open.at, entries };
  }

  #name(): Expression {
    const dot = this.#takeIf(".");
    const token = this.#next();
    if (token.kind !== "identifier") this.#refuseBeginning(token);
    this.#take();
    const { text, at } = token;
    if (reservedWords.has(text)) throw new SyntaxProblem(at, `reserved identifier: ${text}`);
    const name = dot === undefined ? text : `.${text}`;
    const open = this.#takeIf("(");
    if (open !== undefined)
      return this.#call({ kind: "call", at: open.at, name: text, args: this.#arguments() });
    if (this.#next().text === "{" && this.#next().kind === "operator") return this.#struct(text);
    return { kind: "ident", at, name: name.replace(/^\./, "") };
  }

  #struct(name: string): Expression {
    const open = this.#take();
    this.#map(open);
    return { kind: "struct", at: open.at, name };
  }

  #refuseBeginning({ at, text }: Token): never {
    const following = this.#tokens[this.#position + 1];
    const isBeginning =
      following !== undefined &&
      following.kind !== "end" &&
      (following.kind !== "operator" || /^([[{(.\-!]|true|false|null)$/.test(following.text));
    throw new SyntaxProblem(
      at,
      `Syntax error: ${isBeginning ? "extraneous" : "mismatched"} input '${text}' expecting ${this.#markable === this.#position ? markedBeginnings : beginnings}`,
    );
  }
}

function refuse(at: number, message: string): never {
  throw new SyntaxProblem(at, message);
}
