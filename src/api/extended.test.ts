import { describe, expect, test } from "vitest";
import { extended } from "./extended.ts";

describe("an extended object", () => {
  test("has the members of both, the known ones first", () => {
    expect(Object.entries(extended({ a: 1, b: 2 }, { c: 3 }))).toEqual([
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ]);
  });

  test("has the new value of a member that both have, where the known one was", () => {
    expect(Object.entries(extended({ a: 1, b: 2 }, { a: 3 }))).toEqual([
      ["a", 3],
      ["b", 2],
    ]);
  });

  test("leaves the known object alone", () => {
    const known = { a: 1 };
    extended(known, { b: 2 });
    expect(known).toEqual({ a: 1 });
  });

  test("begins with nothing where nothing is known", () => {
    expect(extended(undefined, { a: 1 })).toEqual({ a: 1 });
  });

  test("has a member called __proto__ as its own, as a spread has", () => {
    const hostile = JSON.parse('{"__proto__":{"isAdmin":true}}') as object;
    const made = extended(hostile, { a: 1 });
    expect(Object.hasOwn(made, "__proto__")).toBe(true);
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
  });
});
