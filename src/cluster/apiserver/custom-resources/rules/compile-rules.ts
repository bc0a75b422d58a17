import { type FieldError, forbidden } from "../../../../api/field-error.ts";
import { type Declaration, declarationOf, largestRequest } from "../../cel/types/declaration.ts";
import type { StructuralSchema } from "../structural/structural-schema.ts";
import { compileRule } from "./compile-rule.ts";
import { costProblem, expressionCostLimit, schemaCostLimit } from "./cost-problem.ts";
import { evaluateRules } from "./evaluate-rules.ts";
import type { RuleNode } from "./rule-tree.ts";
import type { CompileRules } from "./schema-rules.ts";

/** Compiles the rules of a schema, and reports those that do not compile or may cost too much. */
export const compileRules: CompileRules = ({ schema, path, limitsCost }) => {
  const found: Found = { errors: [], costs: [], limitsCost };
  const root = compileNode({ schema, path, isResource: true, name: "selfType", cardinality: 1 }, found);
  const errors = [...found.errors, ...totalProblems(found, path)];
  if (root === undefined || found.errors.some(({ type }) => type !== "FieldValueForbidden"))
    return { errors };
  return { errors, rules: { evaluate: (evaluation) => evaluateRules(root, evaluation) } };
};

/** Returns the rules of a part of a schema, also of one whose rules do not all compile; nothing if there are none. */
export function compileTree(schema: StructuralSchema, isResource: boolean): RuleNode | undefined {
  const found: Found = { errors: [], costs: [], limitsCost: false };
  return compileNode({ schema, path: "", isResource, name: "selfType", cardinality: 1 }, found);
}

/** What the rules of a schema are found to be. */
interface Found {
  readonly errors: FieldError[];
  readonly costs: { readonly path: string; readonly cost: number }[];
  readonly limitsCost: boolean;
}

interface Place {
  readonly schema: StructuralSchema;
  readonly path: string;
  readonly isResource: boolean;
  /** The name of its type, in problems. */
  readonly name: string;
  /** How often a value can be there; absent if nothing bounds it. */
  readonly cardinality: number | undefined;
  /** The list below which old values are not known. */
  readonly uncorrelatable?: string | undefined;
}

/** Compiles the rules at a place and below; returns nothing if there are none. */
function compileNode(place: Place, found: Found): RuleNode | undefined {
  const { schema, path, name, isResource } = place;
  const cardinality = cardinalityBelow(place);
  const below = (schema: StructuralSchema, step: string, type: string): RuleNode | undefined => {
    const child = { ...place, schema, path: `${path}.${step}`, name: `${name}.${type}`, cardinality };
    return compileNode(
      { ...child, isResource: schema.embeddedResource, ...correlationBelow(place, step) },
      found,
    );
  };
  const { additionalProperties } = schema;
  const values =
    typeof additionalProperties === "object"
      ? below(additionalProperties, "additionalProperties", "@elem")
      : undefined;
  const properties = new Map<string, RuleNode>();
  for (const [field, property] of schema.properties) {
    const node = below(property, `properties[${field}]`, field);
    if (node !== undefined) properties.set(field, node);
  }
  const items = schema.items && below(schema.items, "items", "@idx");
  const { rules, problems } = compileOwn(place, found);
  const isEmpty =
    [values, items].every((node) => node === undefined) &&
    properties.size + rules.length + problems.length === 0;
  return isEmpty ? undefined : { schema, isResource, rules, problems, properties, values, items };
}

/** Items of a list have old values only if the list is a map. */
function correlationBelow({ schema, path, uncorrelatable }: Place, step: string) {
  if (step !== "items" || schema.listType === "map") return { uncorrelatable };
  return { uncorrelatable: uncorrelatable ?? path };
}

function cardinalityBelow({ schema, cardinality }: Place): number | undefined {
  const most = mostElements(schema);
  return cardinality === undefined || most === undefined ? undefined : cardinality * most;
}

/** How many values a schema can have below itself; absent if it does not say. */
function mostElements({ type, additionalProperties, maxProperties, maxItems }: StructuralSchema) {
  if (type === "array") return maxItems === undefined ? undefined : Math.max(0, maxItems);
  if (type !== "object" || additionalProperties === undefined) return 1;
  return maxProperties === undefined ? undefined : Math.max(0, maxProperties);
}

function compileOwn(place: Place, found: Found): Pick<RuleNode, "rules" | "problems"> {
  const { schema, path, name, isResource, uncorrelatable } = place;
  if (schema.rules.length === 0) return { rules: [], problems: [] };
  const declaration = declarationOf(schema, name, isResource);
  if (declaration === undefined) {
    found.errors.push(undeclared(`${path}.x-kubernetes-validations`));
    return { rules: [], problems: [] };
  }
  const problems: string[] = [];
  const rules = schema.rules.flatMap((rule, index) => {
    const place = `${path}.x-kubernetes-validations[${index}]`;
    const result = compileRule(rule, { schema, declaration, path: place, uncorrelatable });
    observeCost({ path: `${place}.rule`, cost: result.cost, of: "rule" }, found, times(declaration));
    if (result.messageCost !== undefined) {
      const message = {
        path: `${place}.messageExpression`,
        cost: result.messageCost,
        of: "messageExpression",
      };
      observeCost(message, found, 1);
    }
    found.errors.push(...result.errors);
    if (result.problem !== undefined) problems.push(result.problem);
    return result.compiled === undefined ? [] : [result.compiled];
  });
  return { rules, problems };

  /** How often a rule can be evaluated: as often as its values fit into a request, unless bounds say so. */
  function times({ minSize }: Declaration): number {
    return place.cardinality ?? Math.floor(largestRequest / (minSize + 1));
  }
}

function undeclared(field: string): FieldError {
  const detail =
    "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations";
  return { type: "InternalError", field, detail };
}

interface Observed {
  readonly path: string;
  readonly cost: number;
  readonly of: string;
}

function observeCost({ path, cost, of }: Observed, found: Found, times: number): void {
  const total = cost === 0 ? 0 : cost * times;
  found.costs.push({ path, cost: total });
  if (found.limitsCost && total > expressionCostLimit)
    found.errors.push(forbidden(path, costProblem(`estimated ${of} cost`, total, expressionCostLimit)));
}

/** Reports rules that together may cost too much; the most expensive ones are named. */
function totalProblems({ costs }: Found, path: string): readonly FieldError[] {
  const total = costs.reduce((sum, { cost }) => sum + cost, 0);
  if (total <= schemaCostLimit) return [];
  const expensive = costs
    .filter(({ cost }) => cost >= schemaCostLimit / 100)
    .toSorted((left, right) => right.cost - left.cost)
    .slice(0, 4);
  const contributed =
    "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
  const whole = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
  return [
    ...expensive.map((each) => forbidden(each.path, contributed)),
    forbidden(path, costProblem(whole, total, schemaCostLimit)),
  ];
}
