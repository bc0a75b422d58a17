import { describe, expect, test } from "vitest";
import type { Json } from "../../../api/json.ts";
import { readYaml } from "./read-yaml.ts";

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

const readable: readonly { readonly name: string; readonly text: string; readonly want: Json }[] = [
  { name: "what JSON is, too", text: '{"a":[1,"x",null,true]}', want: { a: [1, "x", null, true] } },
  { name: "blocks", text: "a:\n  - b: 1\n  - - c\n", want: { a: [{ b: 1 }, ["c"]] } },
  { name: "aliases", text: "a: &x [1]\nb: *x\n", want: { a: [1], b: [1] } },
  {
    name: "text that only looks like structure",
    text: `a: |-\n  ${"[".repeat(999)}`,
    want: { a: "[".repeat(999) },
  },
  {
    name: "long text",
    text: `a: |-\n${lines(60_000, () => "  x")}`,
    want: { a: lines(60_000, () => "x") },
  },
  {
    name: "YAML 1.1, as Kubernetes does",
    text: "mode: 0644\nnew: 0o644\nless: -0o7\nyes: on\ntime: 12:30:45\nday: 2026-11-15\nversion: 1.10.2\nquoted: 'no'\n",
    want: {
      mode: 420,
      new: 420,
      less: -7,
      true: true,
      time: "12:30:45",
      day: "2026-11-15",
      version: "1.10.2",
      quoted: "no",
    },
  },
  { name: "binary values as texts", text: "a: !!binary aGk=\n", want: { a: "hi" } },
  {
    name: "the last anchor of a name before an alias",
    text: "a: &x [&x 1, *x]\nb: *x\nc: &x 2\nd: *x\n&k e: *k\n",
    want: { a: [1, 1], b: 1, c: 2, d: 2, e: "e" },
  },
  {
    name: "merges of which the first counts, and members before all of them",
    text: "a: &a {x: 1, w: 1}\nb: &b {x: 2, z: 2}\nc: {z: 3, <<: [*a, *b]}\n",
    want: { a: { x: 1, w: 1 }, b: { x: 2, z: 2 }, c: { x: 1, w: 1, z: 3 } },
  },
  {
    name: "sets and dates as what they are written as",
    text: "%YAML 1.2\n---\na: !!set {b}\nd: !!timestamp 2026-11-15\n",
    want: { a: { b: null }, d: "2026-11-15" },
  },
  { name: "merges", text: "a: &a {x: 1}\nb: {<<: *a, z: 2}\n", want: { a: { x: 1 }, b: { x: 1, z: 2 } } },
  { name: "the first of several documents", text: "---\na: 1\n---\nb: [\n---\n", want: { a: 1 } },
  { name: "a document that ends", text: "a: 1\n...\n---\n# nothing\n", want: { a: 1 } },
  { name: "keys of Object's own as keys", text: "constructor: x\n", want: { constructor: "x" } },
];

describe("readYaml reads", () => {
  test.for(readable)("$name", ({ text, want }) => {
    expect(readYaml(text)).toEqual({ ok: true, value: want, duplicates: [] });
  });
});

test("readYaml takes the last of a key's values, and names the others", () => {
  expect(readYaml("a: 1\nb: {c: 1, c: 2}\nl:\n  - {d: 1}\n  - d: 1\n    d: 2\na: 2\na: 3\n")).toEqual({
    ok: true,
    value: { a: 3, b: { c: 2 }, l: [{ d: 1 }, { d: 2 }] },
    duplicates: [
      'line 7: key "a" already set in map',
      'line 8: key "a" already set in map',
      'line 2: key "c" already set in map',
      'line 6: key "d" already set in map',
    ],
  });
});

test("readYaml names at most a hundred keys that are there once more", () => {
  const read = readYaml(lines(1000, () => "a: 1"));
  expect(read.ok && read.duplicates).toHaveLength(100);
});

describe("readYaml refuses", () => {
  test.for([
    { name: "what is none", text: "a: [1", want: /^invalid YAML/ },
    { name: "numbers that JSON does not have", text: "a: [-.inf]", want: /unsupported value: -Infinity$/ },
    { name: "brackets without end", text: "[".repeat(24_000), want: /max depth of 200/ },
    { name: "brackets without end that close", text: "[".repeat(201) + "]".repeat(201), want: /max depth/ },
    { name: "lists in lists without end", text: `${"- ".repeat(24_000)}x`, want: /max depth/ },
    { name: "keys in keys without end", text: `[${"? ".repeat(24_000)}x`, want: /max depth/ },
    {
      name: "indentation without end",
      text: lines(500, (depth) => `${" ".repeat(depth)}a:`),
      want: /max depth/,
    },
    { name: "more tokens than the limit", text: "- {}\n".repeat(20_000), want: /YAML tokens/ },
    {
      name: "more aliases than the limit",
      text: `a: &a 1\n${lines(101, (n) => `b${n}: *a`)}`,
      want: /aliases/,
    },
    {
      name: "aliases of a long text",
      text: `a: &a ${"x".repeat(100_000)}\nb: [${"*a,".repeat(99)}]\n`,
      want: /more than 3145728 bytes when its YAML aliases are replaced/,
    },
    {
      name: "an alias of what it is in",
      text: "a: &a [*a]\n",
      want: /line 1: anchor 'a' value contains itself$/,
    },
    {
      name: "many aliases of what they are in",
      text: `a: &a [${"*a,".repeat(99)}]\n`,
      want: /anchor 'a' value contains itself$/,
    },
    { name: "a merge of what it is in", text: "a: &a {<<: *a}\n", want: /anchor 'a' value contains itself$/ },
    {
      name: "an alias of what its key is in",
      text: "&a {*a : 1}\n",
      want: /anchor 'a' value contains itself$/,
    },
    { name: "an alias of nothing", text: "a:\n- *a\n", want: /line 2: unknown anchor 'a' referenced$/ },
    {
      name: "a merge of what is no object",
      text: "a: {<<: [1]}\n",
      want: /map merge requires map or sequence/,
    },
    { name: "a key that is a list", text: "{[a]: 1}\n", want: /unsupported map key/ },
    { name: "a key that is null", text: "~: 1\n", want: /unsupported map key/ },
    {
      name: "aliases that nest too deep",
      text: lines(
        20,
        (n) => `a${n}: &a${n} ${"[".repeat(20)}${n === 0 ? "" : `*a${n - 1}`}${"]".repeat(20)}`,
      ),
      want: /max depth of 200/,
    },
    {
      name: "aliases of many values",
      text: `a: &a [${"1,".repeat(5000)}]\nb: [${"*a,".repeat(30)}]\n`,
      want: /more than 100000 values/,
    },
    {
      name: "aliases that multiply",
      text: `a: &a [x,x]\nb: &b [${"*a,".repeat(30)}]\nc: &c [${"*b,".repeat(30)}]\nd: [${"*c,".repeat(30)}]\n`,
      want: /alias/i,
    },
  ])("$name", ({ text, want }) => {
    const read = readYaml(text);
    expect(read.ok ? "" : read.error).toMatch(want);
  });
});
