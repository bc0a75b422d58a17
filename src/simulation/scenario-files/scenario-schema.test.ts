import { existsSync, readdirSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readDocument } from "../../api/documents/read-document.ts";
import { type JsonSchema, toJsonSchema } from "../../api/documents/to-json-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import { readScenario } from "./read-scenario.ts";
import { scenarioSchema } from "./scenario-schema.ts";

const root = new URL("../../../", import.meta.url);
const examples = readdirSync(new URL("examples", root))
  .map((name) => new URL(`examples/${name}/scenario.yaml`, root))
  .filter((file) => existsSync(file))
  .map((file) => readFileSync(file, "utf8"))
  .map((text) => parse(text) as JsonObject);

/** A scenario with every shape of a load. */
const loaded: JsonObject = {
  apiVersion: "trimtab.dev/v1alpha1",
  kind: "Scenario",
  load: [
    {
      object: "deployment/web",
      metrics: {
        cpu: {
          total: {
            points: [
              { at: "0s", value: "500m" },
              { at: "9h", value: 4 },
            ],
            every: "12h",
            since: "Creation",
          },
          distribution: "Skewed",
          skew: 0.3,
          noise: "10%",
          noiseEvery: "5m",
          idle: "5m",
          container: "web",
          seed: 3,
        },
        memory: { perPod: "1.5Gi" },
        requests: { total: { wave: { low: 0, high: 1e3, period: "2h", peakAt: "1h" } } },
      },
    },
  ],
  events: [
    {
      at: "5m",
      load: {
        object: "hpa/web",
        namespace: "shop",
        metrics: { queue: { total: { steps: [{ at: "1h", value: "2e3" }] }, seed: "x" } },
      },
    },
  ],
};
/** The last one several times, so that random changes hit it often enough. */
const documents = [...examples, loaded, loaded, loaded, loaded];

/** The schema without what only the reader checks. */
const published = toJsonSchema(scenarioSchema);

function errorsOf(document: Json) {
  const read = readDocument(published, document);
  return read.ok ? [] : read.errors;
}

/** What draft-07 says about the keywords that the schema uses, word by word; without messages. */
function isValid(schema: JsonSchema, given: Json): boolean {
  const { anyOf, oneOf, type } = schema;
  const value = withoutNulls(schema, given);
  const has = (name: string) => isJsonObject(value) && Object.hasOwn(value, name);
  return [
    type === undefined || isOfType(type, value),
    schema.const === undefined || value === schema.const,
    schema.enum === undefined || schema.enum.some((word) => word === value),
    anyOf === undefined || anyOf.some((each) => isValid(each, value)),
    oneOf === undefined || oneOf.filter(({ required: [name] }) => has(name)).length === 1,
    typeof value !== "number" || isNumberValid(schema, value),
    typeof value !== "string" || isTextValid(schema, value),
    !Array.isArray(value) || isListValid(schema, value as readonly Json[]),
    !isJsonObject(value) || areMembersValid(schema, value),
  ].every(Boolean);
}

/** Known members that are null are absent, in which the reader is more lenient. */
function withoutNulls({ properties = {} }: JsonSchema, value: Json): Json {
  if (!isJsonObject(value)) return value;
  const isAbsent = ([name, member]: [string, unknown]) => member === null && Object.hasOwn(properties, name);
  return Object.fromEntries(Object.entries(value).filter((entry) => !isAbsent(entry)));
}

function isOfType(type: string, value: Json): boolean {
  if (type === "object") return isJsonObject(value);
  if (type === "array") return Array.isArray(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

function isNumberValid({ minimum = -Infinity, maximum = Infinity }: JsonSchema, value: number): boolean {
  return value >= minimum && value <= maximum;
}

function isTextValid({ pattern = "", minLength = 0 }: JsonSchema, value: string): boolean {
  return new RegExp(pattern, "u").test(value) && value.length >= minLength;
}

function isListValid({ items = {}, minItems = 0 }: JsonSchema, list: readonly Json[]): boolean {
  return list.length >= minItems && list.every((item) => isValid(items, item));
}

function areMembersValid(schema: JsonSchema, object: JsonObject): boolean {
  const { properties = {}, required = [], additionalProperties, minProperties = 0 } = schema;
  const entries = Object.entries(object) as [string, Json][];
  const isMemberValid = ([name, value]: [string, Json]) => {
    if (Object.hasOwn(properties, name)) return isValid(properties[name] ?? {}, value);
    return (
      additionalProperties === undefined ||
      (additionalProperties !== false && isValid(additionalProperties, value))
    );
  };
  return (
    required.every((name) => Object.hasOwn(object, name)) &&
    entries.length >= minProperties &&
    entries.every(isMemberValid)
  );
}

test("the examples are valid", () => {
  expect(examples.length).toBeGreaterThanOrEqual(12);
  for (const example of documents) {
    expect(errorsOf(example)).toEqual([]);
    expect(isValid(published, example)).toBe(true);
  }
});

const values: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
  0,
  -1,
  1.5,
  3,
  1e12,
  true,
  false,
  null,
  "",
  "5m",
  "1s..5s",
  "exp(3s)",
  "20%",
  "end",
  "web",
  "deployment/web",
  "least-busy",
  "1..20",
  [],
  [{}],
  {},
  { atMost: 3 },
  { within: "5m" },
  "500m",
  "Skewed",
  { wave: { low: 1, high: 2 } },
  { zone: "zone-a" },
  { node: "a", zone: "b" },
);
const names = fc.constantFrom(
  "at",
  "from",
  "for",
  "pods",
  "complete",
  "scale",
  "down",
  "selector",
  "nme",
  "count",
  "tasks",
  "total",
  "perPod",
  "steps",
);

/** A document, the way to a place in it, and what is put there. */
interface Mutation {
  readonly document: Json;
  readonly steps: readonly number[];
  readonly change: readonly [name: string, value: Json];
}

/** The document with one place changed: a value replaced, a member removed, renamed or added. */
function mutated({ document, steps, change }: Mutation): Json {
  const [step = 0, ...rest] = steps;
  if (Array.isArray(document) && document.length > 0 && rest.length > 0) {
    const index = step % document.length;
    const items = document as readonly Json[];
    return items.map((item, at) => (at === index ? mutated({ document: item, steps: rest, change }) : item));
  }
  return isJsonObject(document) && Object.keys(document).length > 0
    ? mutatedObject(document, steps, change)
    : change[1];
}

function mutatedObject(object: JsonObject, steps: readonly number[], change: Mutation["change"]): Json {
  const [step = 0, ...rest] = steps;
  const [name, value] = change;
  const keys = Object.keys(object);
  const key = keys[step % keys.length] ?? "";
  if (rest.length > 1)
    return { ...object, [key]: mutated({ document: object[key] ?? null, steps: rest, change }) };
  const { [key]: removed = null, ...others } = object;
  const ways = [
    others,
    { ...others, [name]: removed },
    { ...object, [name]: value },
    { ...object, [key]: value },
  ];
  return ways[step % ways.length] ?? others;
}

test("the validator accepts exactly what a validator of JSON Schema accepts", () => {
  let refused = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...documents),
      fc.array(fc.nat(40), { minLength: 1, maxLength: 9 }),
      fc.tuple(names, values),
      (example, steps, change) => {
        const document = mutated({ document: example, steps, change });
        const errors = errorsOf(document);
        if (errors.length > 0) refused++;
        expect({ isAccepted: errors.length === 0, errors }).toEqual({
          isAccepted: isValid(published, document),
          errors,
        });
      },
    ),
    { numRuns: 600 },
  );
  expect(refused).toBeGreaterThan(60);
});

test("no document makes the reader throw", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...documents),
      fc.array(fc.nat(40), { minLength: 1, maxLength: 9 }),
      fc.tuple(names, values),
      (example, steps, change) => {
        const text = JSON.stringify(mutated({ document: example, steps, change }));
        const result = readScenario("scenario.yaml", (file) =>
          file === "scenario.yaml"
            ? { ok: true, text }
            : { ok: false, missing: true, reason: "no such file" },
        );
        if (!result.ok) expect(result.problems.length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 60 },
  );
});
