import { readdirSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import { checkSchema } from "./check-schema.ts";
import type { JsonSchema } from "./json-schema.ts";
import { readScenario } from "./read-scenario.ts";
import { scenarioSchema } from "./scenario-schema.ts";

const root = new URL("../../../", import.meta.url);
const examples = readdirSync(new URL("examples", root))
  .filter((name) => /^(0[7-9]|1\d)-/.test(name))
  .map((name) => readFileSync(new URL(`examples/${name}/scenario.yaml`, root), "utf8"))
  .map((text) => parse(text) as JsonObject);

test("schema/scenario.schema.json is the schema that scenarios are checked by (vitest --update writes it)", async () => {
  const file = new URL("schema/scenario.schema.json", root).pathname;
  await expect(`${JSON.stringify(scenarioSchema, undefined, 2)}\n`).toMatchFileSnapshot(file);
});

/** What draft-07 says about the keywords that the schema uses, word by word; without messages. */
function isValid(schema: JsonSchema, value: Json): boolean {
  const { type, enum: words, anyOf, oneOf, minimum, maximum, pattern, minLength, minItems } = schema;
  const is = (name: string) => {
    if (name === "object") return isJsonObject(value);
    if (name === "array") return Array.isArray(value);
    return name === "integer" ? Number.isInteger(value) : typeof value === name;
  };
  const checks = [
    type === undefined || is(type),
    schema.const === undefined || value === schema.const,
    words === undefined || words.some((word) => word === value),
    anyOf === undefined || anyOf.some((each) => isValid(each, value)),
    oneOf === undefined ||
      oneOf.filter(({ required: [name] }) => isJsonObject(value) && Object.hasOwn(value, name)).length === 1,
    typeof value !== "number" || (value >= (minimum ?? value) && value <= (maximum ?? value)),
    typeof value !== "string" ||
      (new RegExp(pattern ?? "", "u").test(value) && value.length >= (minLength ?? 0)),
    !Array.isArray(value) ||
      (value.length >= (minItems ?? 0) && value.every((item: Json) => isValid(schema.items ?? {}, item))),
    !isJsonObject(value) || areMembersValid(schema, value),
  ];
  return checks.every(Boolean);
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
  for (const example of examples) {
    expect(checkSchema(scenarioSchema, example, "")).toEqual([]);
    expect(isValid(scenarioSchema, example)).toBe(true);
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
);

/** The document with one place changed: a value replaced, a member removed, renamed or added. */
function mutated(document: Json, steps: readonly number[], [name, value]: readonly [string, Json]): Json {
  const [step = 0, ...rest] = steps;
  if (Array.isArray(document) && document.length > 0 && rest.length > 0) {
    const index = step % document.length;
    return document.map((item: Json, at) => (at === index ? mutated(item, rest, [name, value]) : item));
  }
  if (!isJsonObject(document) || Object.keys(document).length === 0) return value;
  const keys = Object.keys(document);
  const key = keys[step % keys.length] ?? "";
  if (rest.length > 1) return { ...document, [key]: mutated(document[key] ?? null, rest, [name, value]) };
  const { [key]: removed, ...others } = document;
  return (
    [
      others,
      { ...others, [name]: removed ?? null },
      { ...document, [name]: value },
      { ...document, [key]: value },
    ][step % 4] ?? others
  );
}

test("the validator accepts exactly what a validator of JSON Schema accepts", () => {
  let refused = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...examples),
      fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }),
      fc.tuple(names, values),
      (example, steps, change) => {
        const document = mutated(example, steps, change);
        const errors = checkSchema(scenarioSchema, document, "");
        if (errors.length > 0) refused++;
        expect(errors.length === 0, JSON.stringify({ steps, change, errors })).toBe(
          isValid(scenarioSchema, document),
        );
      },
    ),
    { numRuns: 600 },
  );
  expect(refused).toBeGreaterThan(60);
});

test("no document makes the reader throw", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...examples),
      fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }),
      fc.tuple(names, values),
      (example, steps, change) => {
        const text = JSON.stringify(mutated(example, steps, change));
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
