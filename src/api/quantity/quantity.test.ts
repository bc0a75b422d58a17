import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalQuantity, formatQuantity, quantityProblem } from "./format-quantity.ts";
import { refused, written } from "./quantity.cases.ts";
import {
  addQuantities,
  compareQuantities,
  milliUnits,
  parseQuantity,
  type Quantity,
  subtractQuantities,
  wholeUnits,
  zero,
} from "./quantity.ts";

function quantity(text: string | number): Quantity {
  const parsed = parseQuantity(text);
  if (parsed === undefined) throw new Error(`${text} is no quantity`);
  return parsed;
}

test.for(written)("%s is written %s", ([text, canonical]) => {
  expect(canonicalQuantity(text)).toBe(canonical);
  expect(compareQuantities(quantity(text), quantity(formatQuantity(quantity(text))))).toBe(0);
});

test.for(refused)("%s is refused: %s", ([text, problem]) => {
  expect(parseQuantity(text)).toBeUndefined();
  expect(canonicalQuantity(text)).toBeUndefined();
  expect(quantityProblem(text)).toBe(problem);
});

test("what is absent is no quantity, and a JSON number is one", () => {
  expect([parseQuantity(undefined), parseQuantity(null), parseQuantity(Number.NaN)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([0.5, 2, 1e21, 1e-7].map((number) => formatQuantity(quantity(number)))).toEqual([
    "500m",
    "2",
    "1e21",
    "100e-9",
  ]);
});

test("a thousand E has no larger suffix to go to", () => {
  expect(canonicalQuantity("1000E")).toBe("1000E");
});

describe("arithmetic", () => {
  test.for([
    { a: "1", b: "1000m", compared: 0, sum: "2", difference: "0" },
    { a: "1Gi", b: "512Mi", compared: 1, sum: "1536Mi", difference: "512Mi" },
    { a: "100m", b: "1", compared: -1, sum: "1100m", difference: "-900m" },
    { a: "0", b: "1Ki", compared: -1, sum: "1Ki", difference: "-1Ki" },
    { a: "1Ki", b: "1k", compared: 1, sum: "2024", difference: "24" },
    { a: "0.1", b: "0.2", compared: -1, sum: "300m", difference: "-100m" },
    { a: "8Ei", b: "8Ei", compared: 0, sum: "18446744073709551614", difference: "0" },
  ])("$a and $b", ({ a, b, compared, sum, difference }) => {
    expect(compareQuantities(quantity(a), quantity(b))).toBe(compared);
    expect(formatQuantity(addQuantities(quantity(a), quantity(b)))).toBe(sum);
    expect(formatQuantity(subtractQuantities(quantity(a), quantity(b)))).toBe(difference);
  });
});

describe("as a number", () => {
  test.for([
    { text: "0", whole: 0, milli: 0 },
    { text: "1", whole: 1, milli: 1000 },
    { text: "100m", whole: 1, milli: 100 },
    { text: "1.1m", whole: 1, milli: 2 },
    { text: "1n", whole: 1, milli: 1 },
    { text: "-1.5", whole: -2, milli: -1500 },
    { text: "128Mi", whole: 134_217_728, milli: 134_217_728_000 },
    { text: "1.5Gi", whole: 1_610_612_736, milli: 1_610_612_736_000 },
  ])("$text rounds away from zero", ({ text, whole, milli }) => {
    expect([wholeUnits(quantity(text)), milliUnits(quantity(text))]).toEqual([whole, milli]);
  });
});

test("the canonical form is stable, keeps the amount and never grows a fraction", () => {
  const texts = fc
    .tuple(
      fc.constantFrom("", "-", "+"),
      fc.bigInt({ min: 0n, max: 10n ** 20n }),
      fc.option(fc.nat(99_999)),
      fc.constantFrom(
        "",
        "n",
        "u",
        "m",
        "k",
        "M",
        "G",
        "T",
        "P",
        "E",
        "Ki",
        "Mi",
        "Gi",
        "Ti",
        "e3",
        "e-2",
        "E7",
      ),
    )
    .map(
      ([sign, whole, fraction, suffix]) =>
        `${sign}${whole}${fraction === null ? "" : `.${fraction}`}${suffix}`,
    );
  fc.assert(
    fc.property(texts, (text) => {
      const parsed = quantity(text);
      const canonical = formatQuantity(parsed);
      expect(canonical).toMatch(/^(0|-?[1-9][0-9]*([numkMGTPE]|[KMGTPE]i|e-?[0-9]+)?)$/);
      expect(compareQuantities(quantity(canonical), parsed)).toBe(0);
      expect(formatQuantity(quantity(canonical))).toBe(canonical);
      expect(canonicalQuantity(canonical)).toBe(canonical);
      expect(compareQuantities(addQuantities(parsed, zero), parsed)).toBe(0);
    }),
  );
});
