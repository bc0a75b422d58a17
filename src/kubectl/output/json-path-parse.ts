/** A part of a JSONPath template. */
export type PathNode =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "literal"; readonly value: string | number | boolean }
  | { readonly type: "field"; readonly name: string }
  | { readonly type: "wildcard" }
  | { readonly type: "recursive" }
  | {
      readonly type: "slice";
      readonly from?: number;
      readonly to?: number;
      readonly step?: number;
      readonly isIndex: boolean;
    }
  | {
      readonly type: "filter";
      readonly left: readonly PathNode[];
      readonly operator: string;
      readonly right: readonly PathNode[];
    }
  | { readonly type: "union"; readonly paths: readonly (readonly PathNode[])[] }
  | { readonly type: "range"; readonly path: readonly PathNode[]; readonly body: readonly PathNode[] }
  /** A braced expression, whose results are printed. */
  | { readonly type: "expression"; readonly path: readonly PathNode[] };

/** A template that cannot be read; the message is the one of kubectl. */
export class JsonPathProblem extends Error {
  override readonly name = "JsonPathProblem";
}

/** Reads a template: text with expressions in braces. */
export function parseJsonPath(template: string): readonly PathNode[] {
  const nodes: PathNode[] = [];
  const open: { path: readonly PathNode[]; nodes: PathNode[] }[] = [];
  const add = (node: PathNode) => (open.at(-1)?.nodes ?? nodes).push(node);
  for (let at = 0; at < template.length;) {
    const brace = template.indexOf("{", at);
    if (brace === -1 || brace > at)
      add({ type: "text", text: template.slice(at, brace === -1 ? undefined : brace) });
    if (brace === -1) break;
    const end = endOfBraces(template, brace);
    const inside = template.slice(brace + 1, end).trim();
    if (inside.startsWith("range"))
      open.push({ path: parsePath(inside.slice("range".length).trim()), nodes: [] });
    else if (inside === "end") {
      const closed = open.pop();
      if (closed === undefined) throw new JsonPathProblem("not in range, nothing to end");
      add({ type: "range", path: closed.path, body: closed.nodes });
    } else add({ type: "expression", path: parsePath(inside) });
    at = end + 1;
  }
  if (open.length > 0) throw new JsonPathProblem("unterminated range");
  return nodes;
}

function endOfBraces(template: string, start: number): number {
  let quote = "";
  for (let at = start + 1; at < template.length; at++) {
    const character = template[at] ?? "";
    if (character === "\\") at++;
    else if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === "}") return at;
  }
  throw new JsonPathProblem("unclosed action");
}

/** Reads what is between braces. */
export function parsePath(text: string): readonly PathNode[] {
  const nodes: PathNode[] = [];
  for (let rest = text; rest !== "";) {
    const [node, length] = nextNode(rest);
    if (node !== undefined) nodes.push(node);
    rest = rest.slice(length);
  }
  return nodes;
}

type Step = readonly [node: PathNode | undefined, length: number];

function nextNode(text: string): Step {
  return pathStep(text) ?? literalStep(text);
}

function pathStep(text: string): Step | undefined {
  if (text.startsWith("..")) return [{ type: "recursive" }, /^\.\.(?:\[|$)/.test(text) ? 2 : 1];
  switch (text.charAt(0)) {
    case "$":
    case "@":
    case " ":
      return [undefined, 1];
    case "*":
      return [{ type: "wildcard" }, 1];
    case ".":
      return fieldStep(text, 1);
    case "[":
      return bracketStep(text);
    default:
      return undefined;
  }
}

function literalStep(text: string): Step {
  const [first = ""] = text;
  if (first === '"' || first === "'") return quotedStep(text);
  const [number] = /^[-+]?\d+(?:\.\d+)?/.exec(text) ?? [];
  if (number !== undefined) return [{ type: "literal", value: Number(number) }, number.length];
  const [word] = /^(?:true|false)\b/.exec(text) ?? [];
  if (word !== undefined) return [{ type: "literal", value: word === "true" }, word.length];
  if (/^[a-zA-Z_]/.test(text)) return fieldStep(text, 0);
  const code = (text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  throw new JsonPathProblem(`unrecognized character in action: U+${code} '${first}'`);
}

function fieldStep(text: string, start: number): Step {
  const [raw = ""] = /^(?:\\.|[^\s[\].@$'"{}()?,*:])*/.exec(text.slice(start)) ?? [];
  if (raw === "")
    return [text[start] === "*" ? { type: "wildcard" } : undefined, start + Number(text[start] === "*")];
  return [{ type: "field", name: raw.replaceAll(/\\(.)/g, "$1") }, start + raw.length];
}

function quotedStep(text: string): Step {
  const [all, double, single] = /^(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)')/.exec(text) ?? [];
  if (all === undefined) throw new JsonPathProblem("unterminated quoted string");
  const value = (double ?? single ?? "").replaceAll(
    /\\(.)/g,
    (_, character: string) => unescaped[character] ?? character,
  );
  return [{ type: "literal", value }, all.length];
}

const unescaped: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function bracketStep(text: string): Step {
  const end = endOfBracket(text);
  const inside = text.slice(1, end).trim();
  return [bracketNode(inside), end + 1];
}

function endOfBracket(text: string): number {
  let depth = 0;
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === "[") depth++;
    else if (character === "]" && --depth === 0) return at;
  }
  throw new JsonPathProblem("unterminated array");
}

function bracketNode(inside: string): PathNode {
  if (inside === "*") return { type: "wildcard" };
  if (inside.startsWith("?(") && inside.endsWith(")")) return filterNode(inside.slice(2, -1));
  if (/^'(?:[^']|\\')*'$/.test(inside) && !inside.includes("','"))
    return { type: "field", name: inside.slice(1, -1) };
  if (inside.includes(","))
    return { type: "union", paths: inside.split(",").map((each) => unionPath(each.trim())) };
  return sliceNode(inside);
}

const unionPath = (text: string): readonly PathNode[] =>
  /^['"]/.test(text) ? parsePath(`.${text.slice(1, -1)}`) : [sliceNode(text)];

function sliceNode(text: string): PathNode {
  const [, from, colon, to, step] = /^(-?\d*)(?:(:)(-?\d*)(?::(-?\d*))?)?$/.exec(text) ?? [];
  if (from === undefined) throw new JsonPathProblem(`invalid array index ${text}`);
  const number = (name: string, digits?: string) =>
    digits === undefined || digits === "" ? {} : { [name]: Number(digits) };
  return {
    type: "slice",
    ...number("from", from),
    ...number("to", to),
    ...number("step", step),
    isIndex: colon === undefined,
  };
}

function filterNode(text: string): PathNode {
  // An operator has something on either side.
  const [operator = ""] = /==|!=|<=|>=|<|>/.exec(text.slice(1)) ?? [];
  const at = text.indexOf(operator, 1);
  const right = text.slice(at + operator.length).trimStart();
  if (operator === "" || right === "")
    return { type: "filter", left: parsePath(text), operator: "exists", right: [] };
  return {
    type: "filter",
    left: parsePath(text.slice(0, at).trimEnd()),
    operator,
    right: parsePath(right),
  };
}
