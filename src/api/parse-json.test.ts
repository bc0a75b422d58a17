import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deepestNesting, mostValues, parseJson } from "./parse-json.ts";

const duplicatesIn = (text: string): readonly string[] => {
  const parsed = parseJson(text, { reportDuplicates: true });
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.duplicates;
};

describe("parseJson reports", () => {
  test.for([
    { name: "nothing about distinct names", text: '{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', want: [] },
    { name: "nothing about a bare value", text: '"a"', want: [] },
    { name: "nothing about strings that look like names", text: '{"a":["x","x",{"x":"x"}]}', want: [] },
    { name: "a name at the top", text: '{"a":1,"a":2}', want: ['duplicate field "a"'] },
    {
      name: "a name further down",
      text: '{"spec":{"replicas":1,"x":{},"replicas":2}}',
      want: ['duplicate field "spec.replicas"'],
    },
    {
      name: "a name in a list",
      text: '{"c":[{"n":1},[0,{"n":1,"n":2}]],"d":1}',
      want: ['duplicate field "c[1][1].n"'],
    },
    {
      name: "a name once, however often it comes",
      text: '{"a":1,"a":2,"a":3}',
      want: ['duplicate field "a"'],
    },
    {
      name: "names spelled differently",
      text: String.raw`{"a":1,"\u0061":2}`,
      want: ['duplicate field "a"'],
    },
    {
      name: "names around escaped quotes",
      text: String.raw`{"\"":1,"\\":"\\","\"":2}`,
      want: [String.raw`duplicate field "\""`],
    },
    { name: "the empty name", text: '{"":1,"":2}', want: ['duplicate field ""'] },
    {
      name: "__proto__ like any other",
      text: '{"__proto__":1,"__proto__":2}',
      want: ['duplicate field "__proto__"'],
    },
  ])("$name", ({ text, want }) => {
    expect(duplicatesIn(text)).toEqual(want);
  });

  test("no more than a hundred", () => {
    const pairs = Array.from({ length: 500 }, (_, index) => `"a${index}":1,"a${index}":2`);
    expect(duplicatesIn(`{${pairs.join(",")}}`)).toHaveLength(100);
  });

  test("nothing unless asked", () => {
    expect(parseJson('{"a":1,"a":2}')).toEqual({ ok: true, value: { a: 2 }, duplicates: [] });
  });
});

describe("parseJson refuses", () => {
  test.for(["", " ", "{", '{"a":}', "[1,]", "nul", "{a:1}", "'a'", '{"a":1}x', "\uFEFF{}", "NaN"])(
    "%j",
    (text) => {
      expect(parseJson(text)).toMatchObject({ ok: false, error: expect.stringContaining("invalid JSON") });
    },
  );

  test("absurd nesting, and takes what is just below it", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    const objects = (depth: number) => '{"a":'.repeat(depth) + "1" + "}".repeat(depth);
    expect(parseJson(nested(deepestNesting)).ok).toBe(true);
    expect(parseJson(objects(deepestNesting)).ok).toBe(true);
    for (const text of [nested(deepestNesting + 1), objects(deepestNesting + 1), nested(1_500_000)]) {
      expect(parseJson(text)).toEqual({ ok: false, error: "exceeded max depth of 200" });
    }
  });
});

test("more values than any object has are refused, and as many taken", () => {
  const list = (length: number) => `[${Array.from({ length }, () => "{}").join(",")}]`;
  // The list itself, and for each element the object and the comma before it.
  expect(parseJson(list(mostValues / 2 - 1)).ok).toBe(true);
  expect(parseJson(list(mostValues / 2))).toEqual({ ok: false, error: "more than 100000 values" });
  expect(parseJson(list(mostValues / 2), { valueLimit: Infinity }).ok).toBe(true);
  expect(parseJson(JSON.stringify(",{".repeat(mostValues))).ok).toBe(true);
});

test("brackets inside strings do not count as nesting", () => {
  expect(parseJson(JSON.stringify(["[".repeat(1000), '\\"{{{'.repeat(300)])).ok).toBe(true);
});

test("a name keeps no object's prototype from being its own", () => {
  const parsed = parseJson('{"__proto__":{"polluted":true}}');
  expect(parsed.ok && Object.hasOwn(Object(parsed.value), "__proto__")).toBe(true);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test("every JSON value is read as JSON.parse reads it, and written JSON has no duplicates", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      expect(parseJson(text, { reportDuplicates: true })).toEqual({
        ok: true,
        value: JSON.parse(text),
        duplicates: [],
      });
    }),
  );
});

test("any text at all is read or refused", () => {
  const piece = fc.constantFrom('"', "\\", "{", "}", "[", "]", ",", ":", "a", "1", " ", "null");
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(typeof parseJson(pieces.join(""), { reportDuplicates: true }).ok).toBe("boolean");
    }),
  );
});
