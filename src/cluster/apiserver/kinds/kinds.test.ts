import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultFeatureGates, type FeatureGates } from "../../../api/feature-gates.ts";
import { fieldErrorsText } from "../../../api/field-error.ts";
import type { Json, JsonObject } from "../../../api/json.ts";
import { decodeObject } from "../../../api/schema/decode-object.ts";
import { shapeOf } from "../../../api/schema/shape.ts";
import { type KindFacts, schemaTable } from "../../../api/schema/table.ts";
import type { ObjectUpdate, KindStrategy, StrategyContext } from "./kind-strategy.ts";
import { kindStrategyOf } from "./kinds.ts";

const on: StrategyContext = { gates: defaultFeatureGates, now: 0 };
const allOff = Object.fromEntries(Object.keys(defaultFeatureGates).map((gate) => [gate, false]));
const off: StrategyContext = { gates: allOff as FeatureGates, now: 0 };

const words = fc.constantFrom(
  "",
  "a",
  "web-1",
  "None",
  "Always",
  "RollingUpdate",
  "Localhost",
  "In",
  "Exists",
  "10.0.0.1",
  "::1",
  "25%",
  "metadata.labels['a']",
  "../x",
  "__proto__",
  "ä b",
);

const scalars: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  string: fc.oneof(words, fc.string({ maxLength: 20 })),
  bool: fc.boolean(),
  int32: fc.constantFrom(-1, 0, 1, 80, 600, 2 ** 31 - 1),
  int64: fc.constantFrom(-1, 0, 1, 30, 2 ** 40),
  double: fc.constantFrom(0, 0.5),
  bytes: fc.constantFrom("", "eA==", "eHl6"),
  Time: fc.constant("2026-11-15T00:00:00Z"),
  MicroTime: fc.constant("2026-11-15T00:00:00.000000Z"),
  Duration: fc.constant("5s"),
  Quantity: fc.constantFrom("0", "-1", "100m", "1", "1Gi", "0.5", 2),
  IntOrString: fc.constantFrom<Json>(-1, 0, 1, 80, "", "http", "25%", "101%"),
  StringList: fc.constant(["a"]),
};

/** Any JSON of a type: few members at a time, or an object of this API would never end. */
function valueOf(type: string, depth: number): fc.Arbitrary<Json> {
  const scalar = scalars[type];
  if (scalar !== undefined) return scalar;
  const members = shapeOf(type)?.members ?? [];
  if (members.length === 0 || depth === 0) return fc.constant({});
  const atMost = depth > 5 ? members.length : Math.min(4, members.length);
  const chosen = fc.shuffledSubarray([...members], { maxLength: atMost });
  return chosen.chain((some) =>
    fc.record(
      Object.fromEntries(
        some.map(({ name, form, type: inner }) => [name, membersOf(form, valueOf(inner, depth - 1))]),
      ),
    ),
  );
}

function membersOf(form: "single" | "list" | "map", value: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  if (form === "list") return fc.array(value, { maxLength: 2 });
  if (form === "map") return fc.dictionary(words, value, { maxKeys: 2 });
  return value;
}

function decoded({ type }: KindFacts, value: Json): JsonObject {
  const result = decodeObject(type, value);
  if (!result.ok) throw new Error(result.error);
  return result.object;
}

/** Calls every function of a strategy; other tests check the results. */
function exercise(strategy: Required<KindStrategy>, update: ObjectUpdate, context: StrategyContext): void {
  const { next, previous } = update;
  const created = strategy.prepareForCreate(next, context);
  const updated = strategy.prepareForUpdate(update, context);
  strategy.prepareForStatusUpdate(update, context);
  fieldErrorsText([
    ...strategy.validate(created, context),
    ...strategy.validate(updated, context, previous),
    ...strategy.validateUpdate(update, context),
    ...strategy.validateStatusUpdate(update, context),
  ]);
  strategy.warningsAboutSent(next);
  strategy.warnings(next, context, previous);
  for (const value of Object.values(strategy.selectableFields(next))) expect(value).toBeTypeOf("string");
}

const nothing: Required<KindStrategy> = {
  nameProblems: () => [],
  defaults: (object) => object,
  prepareForCreate: (object) => object,
  prepareForUpdate: ({ next }) => next,
  prepareForStatusUpdate: ({ next }) => next,
  validate: () => [],
  validateUpdate: () => [],
  validateStatusUpdate: () => [],
  warningsAboutSent: () => [],
  warnings: () => [],
  selectableFields: () => ({}),
  needsComponent: false,
  generation: "spec",
  unconditionalUpdate: false,
  createOnUpdate: false,
  returnsObjectOnDelete: false,
  keepsStatusOnCreate: false,
  ordinaryStatus: false,
  *validateFurther() {
    yield undefined;
    return { errors: [], warnings: [] };
  },
  orphansByDefault: false,
  deleteWarning: "",
};

const unknown = kindStrategyOf({ group: "example.com", kind: "Widget" });
const kinds = schemaTable().kinds.filter((facts) => kindStrategyOf(facts) !== unknown);

describe.for(kinds)("$kind of group '$group', version $version", (facts) => {
  const strategy = { ...nothing, ...kindStrategyOf(facts) };
  const fill = strategy.defaults;
  const objects = valueOf(facts.type, 8).map((value) => ({
    ...decoded(facts, value),
    apiVersion: facts.group === "" ? facts.version : `${facts.group}/${facts.version}`,
  }));

  test("defaults are the same applied twice, and survive being read back", () => {
    fc.assert(
      fc.property(objects, (object) => {
        const filled = fill(object);
        expect(fill(filled)).toEqual(filled);
        expect(fill(decoded(facts, filled as Json))).toEqual(filled);
      }),
      { numRuns: 40 },
    );
  });

  test("no object makes its strategy throw", () => {
    fc.assert(
      fc.property(objects, objects, (next, previous) => {
        exercise(strategy, { next, previous }, off);
        exercise(strategy, { next: fill(next), previous: fill(previous) }, on);
      }),
      { numRuns: 40 },
    );
  });
});

test("an unknown kind is validated by the rules for metadata", () => {
  expect(unknown.unconditionalUpdate).toBe(true);
  expect(fieldErrorsText(unknown.validate?.({ metadata: { name: "Bad" } }, on) ?? [])).toMatch(
    /^metadata.name: Invalid/,
  );
});

test("the kinds that have no effect unless a component acts on them", () => {
  const needing = schemaTable().kinds.filter((facts) => kindStrategyOf(facts).needsComponent === true);
  expect([...new Set(needing.map(({ kind }) => kind))].sort()).toEqual([
    "CronJob",
    "DaemonSet",
    "Deployment",
    "HorizontalPodAutoscaler",
    "Ingress",
    "Job",
    "NetworkPolicy",
    "PersistentVolumeClaim",
    "Pod",
    "PodDisruptionBudget",
    "ReplicaSet",
    "ReplicationController",
    "ResourceQuota",
    "StatefulSet",
  ]);
});
