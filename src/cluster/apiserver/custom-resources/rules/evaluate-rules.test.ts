import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatFieldError } from "../../../../api/field-error.ts";
import type { JsonObject } from "../../../../api/json.ts";
import { declarationOf } from "../../cel/types/declaration.ts";
import { readStructuralSchema } from "../structural/read-structural-schema.ts";
import { compileRule } from "./compile-rule.ts";
import { compileRules } from "./compile-rules.ts";
import { rows } from "./evaluate-rules.cases.ts";
import { requestCostBudget, type RuleFindings } from "./schema-rules.ts";

const text = { type: "string" };
const fields: JsonObject = {
  n: { type: "integer" },
  f: { type: "number" },
  b: { type: "boolean" },
  s: { ...text, maxLength: 10 },
  u: text,
  e: { ...text, enum: ["a", "bbb"] },
  l: { type: "array", maxItems: 5, items: { ...text, maxLength: 5 } },
  ul: { type: "array", items: text },
  set: { type: "array", "x-kubernetes-list-type": "set", items: text },
  ml: {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
    items: { type: "object", required: ["k"], properties: { k: text, v: { type: "integer" } } },
  },
  o: {
    type: "array",
    maxItems: 10,
    items: {
      type: "object",
      properties: { op: text, values: { type: "array", items: text }, "x-y": text },
    },
  },
  m: { type: "object", additionalProperties: text },
  mm: { type: "object", maxProperties: 4, additionalProperties: { type: "integer" } },
  p: { "x-kubernetes-int-or-string": true },
  d: { ...text, format: "duration" },
  t: { ...text, format: "date-time" },
  by: { ...text, format: "byte" },
  namespace: text,
  "a.b": text,
  nl: { ...text, nullable: true },
};

const head = { apiVersion: "example.com/v1", kind: "Foo", metadata: { name: "x" } };
const object: JsonObject = {
  ...head,
  spec: {
    n: 3,
    f: 1.5,
    b: true,
    s: "abc",
    u: "hello",
    e: "a",
    l: ["a", "b"],
    ul: ["x", "y", "x"],
    set: ["a", "b"],
    ml: [{ k: "a", v: 1 }, { k: "b" }],
    o: [
      { op: "In", values: ["1"], "x-y": "q" },
      { op: "E", values: ["3"] },
    ],
    m: { a: "x" },
    mm: { z: 1, y: 2 },
    p: "5",
    d: "1h30m",
    t: "2026-01-02T03:04:05Z",
    by: "aGVsbG8=",
    namespace: "ns",
    "a.b": "ab",
  },
};
const oldObject: JsonObject = {
  ...head,
  spec: { n: 2, f: 1.5, b: true, s: "abc", set: ["b", "a"], ml: [{ k: "b" }, { k: "a", v: 1 }] },
};

const schemaOf = (spec: JsonObject) =>
  readStructuralSchema({ type: "object", properties: { spec: { type: "object", ...spec } } });

interface Evaluated {
  readonly spec: JsonObject;
  readonly object?: JsonObject;
  readonly oldObject?: JsonObject | undefined;
  readonly budget?: number;
}

/** Returns what the rules of a schema for `spec` find, and how much of the budget is left. */
function evaluate({ spec, budget = requestCostBudget, ...objects }: Evaluated) {
  const { errors, rules } = compileRules({ schema: schemaOf(spec), path: "schema", limitsCost: false });
  if (rules === undefined) throw new Error(errors.map(formatFieldError).join());
  const left = { left: budget };
  const steps = rules.evaluate({ object, ...objects, budget: left });
  let pauses = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) pauses += 1;
  return { ...step.value, left: left.left, pauses };
}

const texts = ({ errors }: RuleFindings) => errors.map(formatFieldError);
const withRule = (rule: JsonObject): JsonObject => ({
  properties: fields,
  "x-kubernetes-validations": [rule],
});

test.for(rows)("$rule", ({ rule, estimate, refused, found }) => {
  const spec = schemaOf(withRule({ rule })).properties.get("spec");
  if (spec === undefined) throw new Error("no spec");
  const declaration = declarationOf(spec, "selfType");
  if (declaration === undefined) throw new Error("no declaration");
  const result = compileRule(
    { rule },
    { schema: spec, declaration, path: "rules", uncorrelatable: undefined },
  );
  expect(result.errors.map(({ detail }) => detail)).toEqual(refused === undefined ? [] : [refused]);
  if (refused !== undefined) return;
  expect(result.cost).toBe(estimate);
  expect(texts(evaluate({ spec: withRule({ rule }), oldObject }))).toEqual(
    found === undefined ? [] : [found],
  );
});

describe("a rule that fails", () => {
  test.for([
    { rule: { rule: "self.n < 3", message: " m " }, found: "spec: Invalid value: m" },
    {
      rule: { rule: "self.n < 3", messageExpression: "'n is ' + string(self.n)" },
      found: "spec: Invalid value: n is 3",
    },
    {
      rule: { rule: "self.n < 3", messageExpression: "self.m['q']", message: "m" },
      found: "spec: Invalid value: m",
    },
    {
      rule: { rule: "self.n < 3", messageExpression: "' '" },
      found: "spec: Invalid value: failed rule: self.n < 3",
    },
    {
      rule: { rule: "self.n < 3", message: "m", reason: "FieldValueRequired", fieldPath: ".a" },
      fields: { a: text },
      found: "spec.a: Required value: m",
    },
    {
      rule: { rule: "self.n < 3", message: "m", reason: "FieldValueForbidden", fieldPath: ".m['k']" },
      found: "spec.m[k]: Forbidden: m",
    },
    { rule: { rule: "self.n < 3", reason: "FieldValueDuplicate" }, found: "spec: Duplicate value" },
  ])("says $found", ({ rule, found, fields: more = {} }) => {
    const spec = { ...withRule(rule), properties: { ...fields, ...more } };
    expect(texts(evaluate({ spec }))).toEqual([found]);
  });

  test("shows a scalar, and names the item of a list and the key of a map", () => {
    const rule = (text: string) => [{ rule: text }];
    const spec = {
      properties: {
        n: { type: "integer", "x-kubernetes-validations": rule("self < 3") },
        l: { type: "array", items: { ...text, "x-kubernetes-validations": rule("self != 'b'") } },
        m: {
          type: "object",
          additionalProperties: { ...text, "x-kubernetes-validations": rule("self == ''") },
        },
      },
    };
    expect(texts(evaluate({ spec })).sort()).toEqual([
      "spec.l[1]: Invalid value: \"b\": failed rule: self != 'b'",
      "spec.m[a]: Invalid value: \"x\": failed rule: self == ''",
      "spec.n: Invalid value: 3: failed rule: self < 3",
    ]);
  });
});

describe("a rule about the old value", () => {
  const transition = withRule({ rule: "self.n == oldSelf.n" });

  test("is not evaluated when an object is created", () => {
    expect(texts(evaluate({ spec: transition }))).toEqual([]);
  });

  test("runs on creation too, if the old value is optional", () => {
    const rule = { rule: "oldSelf.hasValue() && self.n > oldSelf.value().n", optionalOldSelf: true };
    expect(texts(evaluate({ spec: withRule(rule) }))).toHaveLength(1);
    expect(texts(evaluate({ spec: withRule(rule), oldObject }))).toEqual([]);
  });

  test("compares the items of a list map by their keys", () => {
    const items = {
      type: "object",
      properties: { k: text, v: { type: "integer" } },
      "x-kubernetes-validations": [{ rule: "self == oldSelf" }],
    };
    const ml = { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], items };
    const changed = { ...head, spec: { ml: [{ k: "b" }, { k: "a", v: 2 }] } };
    const found = texts(evaluate({ spec: { properties: { ml } }, object: changed, oldObject }));
    expect(found).toEqual(["spec.ml[1]: Invalid value: failed rule: self == oldSelf"]);
  });

  test("is refused below a list whose items have no keys", () => {
    const items = { ...text, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] };
    const schema = schemaOf({ properties: { l: { type: "array", items } } });
    const { errors } = compileRules({ schema, path: "schema", limitsCost: true });
    expect(errors.map(({ detail }) => detail)).toContain(
      "oldSelf cannot be used on the uncorrelatable portion of the schema within schema.properties[spec].properties[l]",
    );
  });

  test("a failure on a value that an update leaves as it was is a warning", () => {
    const spec = { properties: { s: { ...text, "x-kubernetes-validations": [{ rule: "self == ''" }] } } };
    const { errors, warnings } = evaluate({ spec, oldObject });
    expect(errors).toEqual([]);
    expect(warnings).toEqual(["spec.s: Invalid value: \"abc\": failed rule: self == ''"]);
  });
});

describe("costs", () => {
  test.for([
    { times: "10.7x", items: { maxItems: 1000 } },
    { times: "more than 100x", items: {} },
  ])("a rule may not be estimated to cost more than the limit: $times", ({ times, items }) => {
    const rule = "self.all(x, self.all(y, x == y || x != y))";
    const l = {
      type: "array",
      ...items,
      items: { ...text, maxLength: 10 },
      "x-kubernetes-validations": [{ rule }],
    };
    const { errors } = compileRules({ schema: schemaOf({ properties: { l } }), path: "s", limitsCost: true });
    expect(errors.map(formatFieldError)[0]).toMatch(
      new RegExp(
        `Forbidden: estimated rule cost exceeds budget by factor of ${times.replace("10.7x", "[0-9.]+x")}`,
      ),
    );
  });

  const nested = "self.all(a, self.all(b, self.all(c, a != b || b != c || true)))";
  const many = Array.from({ length: 300 }, (_, index) => String(index));

  test("one evaluation ends at its limit, pauses before, and no rule follows", () => {
    const l = {
      type: "array",
      items: text,
      "x-kubernetes-validations": [{ rule: nested }, { rule: "false" }],
    };
    const found = evaluate({ spec: { properties: { l } }, object: { ...head, spec: { l: many } } });
    expect(texts(found)).toEqual([
      `spec.l: Invalid value: "array": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${nested}`,
    ]);
    expect(found.pauses).toBeGreaterThan(100);
  });

  test("the budget of a request is shared by its rules", () => {
    const found = evaluate({ spec: withRule({ rule: "self.n < self.mm.size()" }), budget: 2 });
    expect(texts(found)).toEqual([
      'spec: Invalid value: "object": validation failed due to running out of cost budget, no further validation rules will be run',
    ]);
  });

  test("texts that double end at the limit, and not in all of the memory", () => {
    const doubled = "[self.u].map(a, a + a)".replace(
      "a + a",
      Array.from({ length: 200 }, () => "a").join(" + "),
    );
    const rule = `${doubled}.map(b, ${Array.from({ length: 200 }, () => "b").join(" + ")}).size() == 1`;
    const found = evaluate({ spec: withRule({ rule }), object: { ...head, spec: { u: "x".repeat(1_000) } } });
    expect(texts(found)[0]).toContain("actual cost limit exceeded");
  });
});

const operand = fc.constantFrom(
  "self.n",
  "self.s",
  "self.l",
  "self.m",
  "self.p",
  "1",
  "'a'",
  "[]",
  "x",
  "self",
  "null",
);
const expressions = fc.letrec<{ e: string }>((tie) => ({
  e: fc.oneof(
    { maxDepth: 4, depthSize: "medium" },
    operand,
    fc
      .tuple(tie("e"), fc.constantFrom("+", "-", "*", "/", "==", "<", "&&", "||", "in"), tie("e"))
      .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
    fc.tuple(tie("e"), tie("e")).map(([of, index]) => `${of}[${index}]`),
    fc
      .tuple(tie("e"), fc.constantFrom("all", "exists", "map", "filter", "sortBy"), tie("e"))
      .map(([over, name, body]) => `${over}.${name}(x, ${body})`),
    fc.tuple(tie("e"), tie("e"), tie("e")).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc
      .tuple(fc.constantFrom("size", "string", "int", "dyn", "type", "quantity", "ip"), tie("e"))
      .map(([f, of]) => `${f}(${of})`),
    fc
      .tuple(
        tie("e"),
        fc.constantFrom("startsWith", "find", "split", "matches", "indexOf", "replace"),
        tie("e"),
      )
      .map(([of, name, argument]) => `${of}.${name}(${argument})`),
  ),
})).e;

test("any expression is refused with a sentence, or evaluated at a cost within its limit", () => {
  fc.assert(
    fc.property(fc.oneof(expressions, fc.string({ maxLength: 60 })), (expression) => {
      const rule = { rule: `dyn(${expression}) == 1`, message: "m" };
      const schema = schemaOf(withRule(rule));
      const { errors, rules } = compileRules({ schema, path: "s", limitsCost: false });
      for (const { detail } of errors) expect(detail).toMatch(/^.{10,}/);
      const budget = { left: requestCostBudget };
      const steps = rules?.evaluate({ object, oldObject, budget });
      while (steps?.next().done === false);
      expect(budget.left).toBeLessThanOrEqual(requestCostBudget);
    }),
    { numRuns: 150 },
  );
});

test.for([
  { name: "brackets", rule: `${"(".repeat(5000)}true${")".repeat(5000)}` },
  { name: "operators", rule: `true${" == true".repeat(3000)}` },
  { name: "lists", rule: `${"[".repeat(3000)}${"]".repeat(3000)} == []` },
  { name: "selections", rule: `self${".a".repeat(3000)}` },
])("$name without end are refused", ({ rule }) => {
  const { errors } = compileRules({ schema: schemaOf(withRule({ rule })), path: "s", limitsCost: true });
  expect(errors[0]?.detail).toContain("expression recursion limit exceeded: 250");
});
