import { finish } from "../src/decisions/downscale/steps.ts";
import { compileRules } from "../src/cluster/apiserver/custom-resources/rules/compile-rules.ts";
import { readStructuralSchema } from "../src/cluster/apiserver/custom-resources/structural/read-structural-schema.ts";
import { type Measure, medianMs } from "./measure.ts";

const text = { type: "string" };
const item = {
  type: "object",
  properties: { key: text, operator: text, values: { type: "array", items: text } },
};

/** Ten rules of the forms that operators use most. */
const rules = [
  "self.name == oldSelf.name",
  "!has(self.mode) || self.mode in ['On', 'Off', 'Auto']",
  "has(self.replicas) ? self.replicas <= 100 : true",
  "!(has(self.mode) && self.mode == 'Off' && has(self.replicas))",
  "self.items.all(x, x.operator in ['In', 'NotIn', 'Exists'])",
  "self.items.all(x, x.operator == 'In' ? x.values.size() != 0 : true)",
  "self.items.exists(x, x.key == 'zone')",
  "size(self.items.filter(i, size(self.items.filter(j, j == i)) > 1)) == 0",
  "self.labels.all(k, k != 'forbidden')",
  "[has(self.mode), has(self.replicas)].filter(x, x).size() <= 2",
];

const schema = readStructuralSchema({
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        name: text,
        mode: text,
        replicas: { type: "integer" },
        items: { type: "array", maxItems: 20, items: item },
        labels: { type: "object", maxProperties: 20, additionalProperties: text },
      },
      "x-kubernetes-validations": rules.map((rule) => ({ rule })),
    },
  },
});

const object = (replicas: number) => ({
  spec: {
    name: "a",
    mode: "On",
    replicas,
    items: ["zone", "arch", "os", "size", "type"].map((key) => ({ key, operator: "In", values: ["a", "b"] })),
    labels: { app: "a", tier: "b", team: "c" },
  },
});

const rounds = 100;

/** Rules of a custom kind: compiling ten of them, and evaluating them on an object. */
export function rulesOfKinds(): readonly Measure[] {
  const compile = () => compileRules({ schema, path: "schema", limitsCost: true });
  const compiled = compile();
  const evaluate = () => {
    for (let round = 0; round < rounds; round += 1) {
      const evaluation = {
        object: object(round),
        oldObject: object(round + 1),
        budget: { left: 10_000_000 },
      };
      if (compiled.rules === undefined || finish(compiled.rules.evaluate(evaluation)).errors.length > 0)
        throw new Error("the rules hold for the object");
    }
  };
  return [
    { what: "compiling ten rules", value: medianMs(compile), unit: "ms" },
    { what: "evaluating ten rules on an object", value: (medianMs(evaluate) * 1000) / rounds, unit: "µs" },
  ];
}
