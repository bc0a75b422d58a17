import { expect, test } from "vitest";
import { invalid } from "../../api/field-error.ts";
import { parseLocatedDocuments, parseLocatedYaml } from "./located-yaml.ts";

const parse = (text: string) => parseLocatedYaml({ file: "a.yaml", text, kind: "Thing" });
const problemsOf = (text: string) => {
  const read = parse(text);
  return read.ok ? [] : read.problems;
};

test.for([
  {
    name: "an alias of what it is in",
    text: "x: 1\na: &a [*a]\n",
    want: "a.yaml:2:8: anchor 'a' value contains itself",
  },
  {
    name: "many aliases of what they are in",
    text: `a: &a [${"*a,".repeat(9999)}]\n`,
    want: "a.yaml:1:8: anchor 'a' value contains itself",
  },
  { name: "an alias of nothing", text: "a: *b\n", want: "a.yaml:1:4: unknown anchor 'b' referenced" },
  { name: "a key twice", text: "a: 1\na: 2\n", want: "a.yaml:2:1: Map keys must be unique" },
  { name: "two documents", text: "a: 1\n---\nb: 1\n", want: "a.yaml:2:1: more than one document" },
  { name: "brackets without end", text: "[".repeat(100_000), want: "a.yaml: exceeded max depth of 200" },
  { name: "a number that JSON does not have", text: "a: .nan\n", want: "a.yaml:1:4: unsupported value: NaN" },
  { name: "a list", text: "- a\n", want: "a.yaml: an object was expected, with kind Thing" },
])("a file with $name is refused, with the place", ({ text, want }) => {
  expect(problemsOf(text)).toEqual([want]);
});

test("aliases that multiply are refused before they are replaced", () => {
  const levels = Array.from(
    { length: 40 },
    (_, n) => `a${n}: &a${n} [${n === 0 ? "x" : `*a${n - 1}, *a${n - 1}`}]`,
  );
  expect(problemsOf(levels.join("\n"))).toEqual([
    expect.stringMatching(/when its YAML aliases are replaced$/),
  ]);
});

test("a file may use an anchor many times", () => {
  const read = parse(`a: &a {x: [1]}\nb: [${"*a, ".repeat(1000)}]\n`);
  expect(read.ok && read.document.content["b"]).toEqual(Array.from({ length: 1000 }, () => ({ x: [1] })));
});

test("errors are listed in the order of the file, a hundred of them", () => {
  const read = parse(Array.from({ length: 300 }, (_, n) => `k${n}: 1\n`).join(""));
  const errors = Array.from({ length: 300 }, (_, n) => invalid(`k${299 - n}`, n, "wrong"));
  const lines = read.ok ? read.document.format(errors) : [];
  expect(lines).toHaveLength(101);
  expect(lines[0]).toBe("a.yaml:201:7: k200: Invalid value: 99: wrong");
  expect(lines.at(-1)).toBe("a.yaml: 200 more errors");
});

test("documents of a file know their lines; empty ones are left out", () => {
  const read = parseLocatedDocuments({
    file: "a.yaml",
    text: "# none\n---\na: 1\n---\n---\nb: 1\n",
    kind: "Thing",
  });
  expect(read.ok && read.documents.map(({ content, lineOf }) => [content, lineOf("a"), lineOf("b")])).toEqual(
    [
      [{ a: 1 }, 3, 3],
      [{ b: 1 }, 6, 6],
    ],
  );
});
