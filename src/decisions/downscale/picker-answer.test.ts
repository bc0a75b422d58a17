import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { interpretPickerAnswer, parsePickerAnswer } from "./picker-answer.ts";

const candidates = ["a", "b", "c", "d"];
const nothingIgnored = { unknown: 0, duplicate: 0, inBothLists: 0 };

describe("interpretPickerAnswer", () => {
  test.for([
    {
      name: "takes both lists",
      body: { chosen_pods: ["a"], tied_pods: ["b", "c"] },
      chosen: ["a"],
      tied: ["b", "c"],
    },
    { name: "takes an absent list for empty", body: { chosen_pods: ["a"] }, chosen: ["a"], tied: [] },
    {
      name: "takes a null list for empty",
      body: { chosen_pods: null, tied_pods: ["b"] },
      chosen: [],
      tied: ["b"],
    },
    { name: "ignores other members", body: { chosen_pods: ["a"], mood: [1] }, chosen: ["a"], tied: [] },
    {
      name: "drops names that are not candidates, and counts them",
      body: { chosen_pods: ["a", "x"], tied_pods: ["y", "b", "__proto__", "constructor"] },
      chosen: ["a"],
      tied: ["b"],
      ignored: { unknown: 4 },
    },
    {
      name: "counts a repeated name once",
      body: { chosen_pods: ["a", "a", "a"], tied_pods: ["b", "b"] },
      chosen: ["a"],
      tied: ["b"],
      ignored: { duplicate: 3 },
    },
    {
      name: "lets chosen win over tied",
      body: { chosen_pods: ["a"], tied_pods: ["a", "b"] },
      chosen: ["a"],
      tied: ["b"],
      ignored: { inBothLists: 1 },
    },
    {
      name: "takes more names than anyone asked for",
      body: { chosen_pods: ["d", "c", "b", "a"] },
      chosen: ["d", "c", "b", "a"],
      tied: [],
    },
  ])("$name", ({ body, chosen, tied, ignored }) => {
    expect(interpretPickerAnswer(body, candidates)).toEqual({
      kind: "Ranked",
      chosen: new Set(chosen),
      tied: new Set(tied),
      ignored: { ...nothingIgnored, ...ignored },
    });
  });

  test.for([
    { name: "two empty lists", body: { chosen_pods: [], tied_pods: [] }, unknown: 0 },
    { name: "two null lists", body: { chosen_pods: null, tied_pods: null }, unknown: 0 },
    { name: "one empty list", body: { tied_pods: [] }, unknown: 0 },
    { name: "nothing but unknown names", body: { chosen_pods: ["x"], tied_pods: ["y"] }, unknown: 2 },
  ])("is empty for $name", ({ body, unknown }) => {
    expect(interpretPickerAnswer(body, candidates)).toEqual({
      kind: "Empty",
      ignored: { ...nothingIgnored, unknown },
    });
  });

  const notAnObject = "not an object";
  const noList = "neither chosen_pods nor tied_pods";
  const badChosen = "chosen_pods is not a list of names";
  const badTied = "tied_pods is not a list of names";
  test.for([
    { name: "null", body: null, reason: notAnObject },
    { name: "a number", body: 7, reason: notAnObject },
    { name: "nothing at all", body: undefined, reason: notAnObject },
    { name: "an array", body: [["a"], ["b"]], reason: notAnObject },
    { name: "neither list", body: {}, reason: noList },
    { name: "neither list among others", body: { status: "ok" }, reason: noList },
    { name: "a text for a list", body: { chosen_pods: "a" }, reason: badChosen },
    { name: "an object for a list", body: { tied_pods: { 0: "a", length: 1 } }, reason: badTied },
    { name: "a number among the names", body: { chosen_pods: ["a", 1] }, reason: badChosen },
    { name: "a list among the names", body: { tied_pods: [["a"]] }, reason: badTied },
    { name: "null among the names", body: { tied_pods: [null] }, reason: badTied },
    { name: "inherited lists", body: Object.create({ chosen_pods: ["a"] }), reason: noList },
  ])("is malformed for $name", ({ body, reason }) => {
    expect(interpretPickerAnswer(body, candidates)).toEqual({ kind: "Malformed", reason });
  });

  test("returns a value for anything, and never a name that was not a candidate", () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ chosen_pods: fc.anything() })), (body) => {
        const answer = interpretPickerAnswer(body, candidates);
        if (answer.kind !== "Ranked") return;
        for (const name of [...answer.chosen, ...answer.tied]) expect(candidates).toContain(name);
      }),
    );
  });
});

describe("parsePickerAnswer", () => {
  const parse = (text: string) => parsePickerAnswer(new TextEncoder().encode(text), candidates);

  test("reads JSON", () => {
    expect(parse('{"chosen_pods":["a"],"__proto__":{"tied_pods":["b"]}}')).toEqual({
      kind: "Ranked",
      chosen: new Set(["a"]),
      tied: new Set(),
      ignored: nothingIgnored,
    });
  });

  test.for([
    { name: "nothing", text: "", reason: "not JSON" },
    { name: "a page", text: "<html></html>", reason: "not JSON" },
    { name: "half an answer", text: '{"chosen_pods":["a"', reason: "not JSON" },
    { name: "more than one answer", text: '{"chosen_pods":["a"]}{}', reason: "not JSON" },
  ])("is malformed for $name", ({ text, reason }) => {
    expect(parse(text)).toEqual({ kind: "Malformed", reason });
  });

  test.for([
    { name: "an endless nest", text: "[".repeat(500_000), reason: "exceeded max depth of 200" },
    {
      name: "a deep nest",
      text: `${"[".repeat(5000)}${"]".repeat(5000)}`,
      reason: "exceeded max depth of 200",
    },
    {
      name: "a mebibyte of objects",
      text: `[${"{},".repeat(300_000)}{}]`,
      reason: "more than 100000 values",
    },
    { name: "a long page", text: `<html>${" ".repeat(64 * 1024)}`, reason: "not JSON" },
  ])("is malformed for good for $name: it is not read a second time", ({ text, reason }) => {
    expect(parse(text)).toEqual({ kind: "Malformed", reason, isFinal: true });
  });

  test("is malformed for bytes that are not UTF-8", () => {
    const bytes = Uint8Array.from([...new TextEncoder().encode('{"chosen_pods":["'), 0xff, 0x22, 0x5d, 0x7d]);
    expect(parsePickerAnswer(bytes, candidates)).toEqual({ kind: "Malformed", reason: "not valid UTF-8" });
  });

  test("returns a value for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(["Malformed", "Empty", "Ranked"]).toContain(parsePickerAnswer(bytes, candidates).kind);
      }),
    );
  });
});
