import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../api/json.ts";
import { type ConditionInput, evaluateConditions } from "./evaluate-conditions.ts";
import { finish } from "../../../../decisions/downscale/steps.ts";
import { compileCondition } from "./compile-condition.ts";

const replicas = (count: number): JsonObject => ({
  metadata: { name: "web", annotations: { "trimtab.dev/steer": "true" }, labels: { constructor: "x" } },
  spec: { replicas: count, containers: [{ name: "a", env: [{ name: "X", value: "1" }] }, { name: "b" }] },
});
const input = {
  object: replicas(2),
  oldObject: replicas(3),
  request: {
    operation: "UPDATE",
    subResource: "scale",
    dryRun: false,
    userInfo: { username: "me", groups: ["a"] },
  },
  authorization: new Map(),
};

const evaluated = (conditions: Parameters<typeof evaluateConditions>[0], values: ConditionInput) =>
  finish(evaluateConditions(conditions, values));

function outcomeOf(expression: string): string {
  const result = evaluated([{ name: "it", expression }], input);
  return result.kind === "error"
    ? result.why.replace(/^expression '.*' resulted in error: /s, "")
    : result.kind;
}

test.for([
  { expression: "true", want: "true" },
  { expression: "object.spec.replicas < oldObject.spec.replicas", want: "true" },
  { expression: "object.spec.replicas + 1 == oldObject.spec.replicas", want: "true" },
  { expression: "object.spec.replicas == 2 && oldObject.spec.replicas != 2", want: "true" },
  {
    expression: "has(object.metadata.annotations) && 'trimtab.dev/steer' in object.metadata.annotations",
    want: "true",
  },
  { expression: "has(object.metadata.annotations.none)", want: "false" },
  { expression: "object.metadata.annotations['trimtab.dev/steer'] == 'true'", want: "true" },
  {
    expression: "object.metadata.name.startsWith('we') && object.metadata.name.endsWith('eb')",
    want: "true",
  },
  { expression: "object.metadata.name.contains('xx') ? true : false", want: "false" },
  { expression: "size(object.spec.containers) == 2 && object.metadata.name.size() == 3", want: "true" },
  { expression: "object.spec.containers.exists(c, c.name == 'b')", want: "true" },
  { expression: "object.spec.containers.all(c, !has(c.env) || c.env.all(e, e.name != 'X'))", want: "false" },
  { expression: "object.spec.containers[1].name == 'b'", want: "true" },
  {
    expression: "request.operation in ['CREATE', 'UPDATE'] && request.userInfo.username != 'you'",
    want: "true",
  },
  { expression: "'a' in request.userInfo.groups && !request.dryRun", want: "true" },
  { expression: "has(request.subResource) && request.subResource == 'scale'", want: "true" },
  {
    expression: "'constructor' in object.metadata.labels && !('toString' in object.metadata.labels)",
    want: "true",
  },
  { expression: "object == oldObject", want: "false" },
  { expression: "object.spec.none == 1", want: "no such key: none" },
  { expression: "object.spec.none == 1 || object.spec.replicas == 2", want: "true" },
  { expression: "object.spec.replicas", want: "must evaluate to bool" },
  { expression: "object.spec.replicas / 0 == 1", want: "division by zero" },
])("$expression is $want", ({ expression, want }) => {
  expect(outcomeOf(expression)).toBe(want);
});

test.for([
  { expression: "object.", why: /^compilation failed: / },
  { expression: "1 +", why: /^compilation failed: / },
  { expression: "'text'", why: /^must evaluate to bool$/ },
  { expression: "'a' < 1", why: /^compilation failed: .*found no matching overload for '_<_'/ },
  { expression: "authorizer.path('/x').check('get')", why: /^must evaluate to bool$/ },
  { expression: "request.none == 'a'", why: /undefined field 'none'/ },
  { expression: "params.a == 'a'", why: /undeclared reference to 'params'/ },
  { expression: "object.x.matches('(')", why: /invalid matches argument/ },
  { expression: "cel.bind(x, 1, x == 1)", why: /undeclared reference to 'bind'/ },
  { expression: "object.x.all(c, other == c)", why: /undeclared reference to 'other'/ },
  { expression: `${"(".repeat(300)}true${")".repeat(300)}`, why: /compilation failed|depth/i },
  { expression: "! ".repeat(9000), why: /^compilation failed: / },
])("$expression is refused with a sentence", ({ expression, why }) => {
  const compiled = compileCondition(expression);
  expect(compiled.ok ? "accepted" : compiled.why).toMatch(why);
});

describe("the cost limit", () => {
  const many = { items: Array.from({ length: 400 }, (_, index) => ({ n: index, text: "x".repeat(50) })) };
  const big = { object: many, oldObject: null, request: {}, authorization: new Map() };
  const nested = (levels: number): string => {
    let expression = "a0 != a0";
    for (let level = levels - 1; level >= 0; level--)
      expression = `object.items.exists(a${level}, ${expression})`;
    return expression;
  };

  test.for([
    { name: "one loop over a long list", expression: "object.items.all(a, a.n >= 0)", want: "true" },
    { name: "loops in loops", expression: nested(4), want: "error" },
    {
      name: "loops over literals",
      expression: nested(6).replaceAll("object.items", "[1,2,3,4,5,6,7,8,9]"),
      want: "error",
    },
    {
      name: "a comparison of everything with itself",
      expression: "object.items.all(a, object == object)",
      want: "true",
    },
  ])("$name: $want", ({ expression, want }) => {
    expect(evaluated([{ name: "it", expression }], big).kind).toBe(want);
  });

  test("is shared by the conditions of a webhook", () => {
    const condition = (index: number) => ({
      name: `c${index}`,
      expression: `object.items.all(a, object.items.exists(b, b.n == a.n || b.n == -${index}))`,
    });
    const conditions = Array.from({ length: 64 }, (_, index) => condition(index));
    const result = evaluated(conditions, big);
    expect(result).toMatchObject({
      kind: "error",
      why: expect.stringContaining("running out of cost budget"),
    });
  });
});

test("a condition that is false wins over errors of others", () => {
  const conditions = [
    { name: "error", expression: "object.none == 1" },
    { name: "false", expression: "false" },
  ];
  expect(evaluated(conditions, input)).toEqual({ kind: "false" });
});

const atom = fc.constantFrom(
  "object",
  "oldObject",
  "request",
  "x",
  "1",
  "-1",
  "1.5",
  "'a'",
  "true",
  "null",
  "[]",
  "[1, 2]",
  "{}",
  "has(object.a)",
);
const expressions = fc.letrec<{ e: string }>((tie) => ({
  e: fc.oneof(
    { maxDepth: 5, depthSize: "medium" },
    atom,
    fc
      .tuple(
        tie("e"),
        fc.constantFrom("+", "-", "*", "/", "%", "==", "!=", "<", ">=", "&&", "||", "in"),
        tie("e"),
      )
      .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
    fc
      .tuple(tie("e"), fc.constantFrom("spec", "items", "metadata", "constructor", "__proto__"))
      .map(([of, name]) => `${of}.${name}`),
    fc.tuple(tie("e"), tie("e")).map(([of, index]) => `${of}[${index}]`),
    fc
      .tuple(tie("e"), fc.constantFrom("all", "exists", "map"), tie("e"))
      .map(([over, name, predicate]) => `${over}.${name}(x, ${predicate})`),
    fc.tuple(tie("e"), tie("e"), tie("e")).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc
      .tuple(fc.constantFrom("size", "has", "string", "type"), tie("e"))
      .map(([name, of]) => `${name}(${of})`),
    fc
      .tuple(tie("e"), fc.constantFrom("startsWith", "contains", "matches"), tie("e"))
      .map(([of, name, argument]) => `${of}.${name}(${argument})`),
  ),
})).e;

test("any expression is refused with a sentence, or evaluated to true, false or an error", () => {
  fc.assert(
    fc.property(fc.oneof(expressions, fc.string({ maxLength: 60 })), (expression) => {
      const compiled = compileCondition(expression);
      if (!compiled.ok) expect(compiled.why).toMatch(/^.{10,}/);
      expect(["true", "false", "error"]).toContain(evaluated([{ name: "it", expression }], input).kind);
    }),
    { numRuns: 500 },
  );
});
