import type { JsonObject } from "../../src/api/json.ts";

const text = { type: "string" };
const integer = { type: "integer" };
const ruled = (rule: string, more: JsonObject = {}) => ({ "x-kubernetes-validations": [{ rule, ...more }] });

/** Rules as they are in published definitions, and what they are about. */
const strings = { type: "array", maxItems: 5, items: { type: "string", maxLength: 20 } };
const pairs = {
  type: "array",
  maxItems: 5,
  items: {
    type: "object",
    properties: {
      key: { type: "string", maxLength: 20 },
      operator: { type: "string", maxLength: 20 },
      values: strings,
    },
  },
};
const members: JsonObject = { a: integer, b: integer, m: text, n: text, l: strings, p: pairs };

// Errors of addresses and versions that cannot be read have other texts: only their validity is asked.
const rules = [
  "isIP(self.m) || isCIDR(self.m) || isSemver(self.m)",
  "self.m == oldSelf.m",
  "self.m != 'x'",
  "self.m in ['a', 'b']",
  "self.p.all(x, !has(x.operator) || x.operator in ['In', 'Exists'])",
  "self.p.all(x, has(x.operator) ? x.key == 'c' : true)",
  "self.p.all(x, x.operator == 'In' ? x.values.size() != 0 : true)",
  "self.p.all(x, int(x.values[0]) >= 0)",
  "!(has(self.m) && self.m == 'D' && has(self.n))",
  "!has(self.a) || has(self.b)",
  "has(self.a) != has(self.b)",
  "has(self.a) == has(oldSelf.a)",
  "[has(self.a), has(self.b)].filter(x, x).size() <= 1",
  "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) == 1",
  "has(self.a) ? self.a <= self.b : true",
  "!has(self.a) || self.a <= (has(self.b) ? self.b : 100)",
  "self.p.all(x, size(x.values) == size(self.l))",
  "size(self.l.filter(i, size(self.l.filter(j, j == i)) > 1)) == 0",
  "self.p[size(self.p) - 1].operator == 'In'",
  "self.m in ['a'] || !self.m.find('^([^/]+)').endsWith('s')",
  "self.l.exists_one(x, x == 'a')",
  "self.a / self.b > 1",
  "self.m.matches('^[a-z]+$')",
  "quantity(self.m).isGreaterThan(quantity('1Gi'))",
  "isURL(self.m) && url(self.m).getScheme() == 'https'",
  "self.?a.orValue(3) == 3",
  "self.l.isSorted() && self.l.map(x, x.size()).sum() < 5",
  "self.missing == 1",
  "self.a == 'x'",
  "self.a + 1",
  "self.l.all(x,",
  "duration(self.m) > duration('1h')",
  "timestamp(self.m).getFullYear() > 2000",
  "timestamp(self.m).getHours('Europe/Berlin') == 4 && timestamp(self.m).getHours('-02:30') == 1",
  "timestamp(self.m).getDayOfWeek(self.m) == 1 || timestamp('2024-07-01T00:00:00Z').getHours('Nowhere/Town') == 1",
  "self.l.join(',').split(',').size() == self.l.size()",
  "format.dns1123Label().validate(self.m).hasValue()",
];

/** A definition for each rule; some of them do not compile. */
export const ruleDefinitions: readonly JsonObject[] = rules.map((rule, index) =>
  ruledDefinition("rules", index, ruled(rule)),
);

function ruledDefinition(place: string, index: number, ofSpec: JsonObject): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `rule${index}s.${place}.example.com` },
    spec: {
      group: `${place}.example.com`,
      scope: "Namespaced",
      names: { plural: `rule${index}s`, kind: `Rule${index}` },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: { spec: { type: "object", properties: members, ...ofSpec } },
            },
          },
        },
      ],
    },
  };
}

/** A definition with rules that are drawn. */
export function drawnRuleDefinition(index: number, drawn: readonly string[]): JsonObject {
  return ruledDefinition("drawn", index, { "x-kubernetes-validations": drawn.map((rule) => ({ rule })) });
}

/** What each rule is evaluated on. */
export const ruledSpecs: readonly JsonObject[] = [
  {},
  { a: 1, b: 2, m: "a", n: "b", l: ["a", "b"], p: [{ key: "c", operator: "In", values: ["1", "2"] }] },
  { a: 6, b: 0, m: "D", n: "b", l: ["a", "a"], p: [{ key: "d", values: ["x"] }, { operator: "Other" }] },
  { b: 2, m: "https://a.b/things", l: [], p: [] },
  { a: 3, m: "2Gi", l: ["b", "a"], p: [{ operator: "In", values: [] }] },
  { m: "10.0.0.0/8" },
  { m: "10.0.0.1" },
  { m: "1.2.3" },
  { m: "2h" },
  { m: "2024-01-02T03:04:05Z" },
];
