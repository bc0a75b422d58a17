import { compareText } from "../../api/compare-text.ts";
import { isJsonObject, type Json } from "../../api/json.ts";
import { goJson } from "./go-json.ts";
import { JsonPathProblem, type PathNode, parseJsonPath } from "./json-path-parse.ts";

type Values = readonly unknown[];

/** The text that a template gives of a value; what is missing is empty. */
export function evaluateTemplate(template: string, value: Json): string {
  return textOf(parseJsonPath(template), value);
}

function textOf(nodes: readonly PathNode[], value: unknown): string {
  return nodes
    .map((node) => {
      if (node.type === "text") return node.text;
      if (node.type === "range")
        return valuesAt([value], node.path)
          .map((each) => textOf(node.body, each))
          .join("");
      return node.type === "expression" ? valuesAt([value], node.path).map(valueText).join(" ") : "";
    })
    .join("");
}

/** The results of every expression of a template, without its text. */
export function templateValues(template: string, value: Json): Values {
  return parseJsonPath(template).flatMap((node) =>
    node.type === "expression" ? valuesAt([value], node.path) : [],
  );
}

/** A value as templates print it. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : goJson(value);
}

function valuesAt(values: Values, path: readonly PathNode[]): Values {
  let current = values;
  for (const node of path) current = step(current, node);
  return current;
}

function step(values: Values, node: PathNode): Values {
  switch (node.type) {
    case "field":
      return values.flatMap((value) => membersNamed(value, node.name));
    case "wildcard":
      return values.flatMap(membersOf);
    case "recursive":
      return values.flatMap(selfAndDescendants);
    case "slice":
      return values.flatMap((value) => sliced(value, node));
    case "filter":
      return values.flatMap((value) => filtered(value, node));
    case "union":
      return node.paths.flatMap((path) => valuesAt(values, path));
    case "literal":
      return [node.value];
    case "text":
    case "range":
    case "expression":
      return values;
  }
}

function membersNamed(value: unknown, name: string): Values {
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return [];
  return [value[name]];
}

function membersOf(value: unknown): Values {
  if (Array.isArray(value)) return value as Values;
  if (!isJsonObject(value)) return [];
  return Object.entries(value)
    .toSorted(([one], [other]) => compareText(one, other))
    .map(([, member]) => member);
}

function selfAndDescendants(value: unknown): Values {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...membersOf(value).flatMap(selfAndDescendants)];
}

function sliced(value: unknown, node: PathNode & { type: "slice" }): Values {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw new JsonPathProblem("is not array or slice");
  const list: Values = value;
  const fromEnd = (index: number) => (index < 0 ? index + list.length : index);
  if (node.isIndex) return indexed(list, node.from ?? 0);
  const end = node.to === undefined ? undefined : fromEnd(node.to);
  const every = node.step ?? 1;
  return list.slice(fromEnd(node.from ?? 0), end).filter((_, index) => index % every === 0);
}

function indexed(list: Values, index: number): Values {
  const place = index < 0 ? index + list.length : index;
  if (place < 0 || place >= list.length)
    throw new JsonPathProblem(`array index out of bounds: index ${index}, length ${list.length}`);
  return [list[place]];
}

function filtered(value: unknown, node: PathNode & { type: "filter" }): Values {
  if (!Array.isArray(value)) return [];
  return (value as Values).filter((item) => {
    const [left] = valuesAt([item], node.left);
    if (node.operator === "exists") return left !== undefined;
    const [right] = valuesAt([item], node.right);
    return left !== undefined && right !== undefined && compares(left, node.operator, right);
  });
}

function compares(left: unknown, operator: string, right: unknown): boolean {
  const [one, other] =
    typeof left === "number" && typeof right === "number"
      ? [left, right]
      : [valueText(left), valueText(right)];
  switch (operator) {
    case "==":
      return one === other;
    case "!=":
      return one !== other;
    case "<":
      return one < other;
    case "<=":
      return one <= other;
    case ">":
      return one > other;
    default:
      return one >= other;
  }
}
