import { describe, expect, test } from "vitest";
import { formatFieldError } from "../field-error.ts";
import type { LabelSelector } from "../generated/meta-v1.ts";
import { compileLabelMap, compileLabelSelector } from "./compile-label-selector.ts";
import { formatLabelSelection, matchesLabels } from "./label-selector.ts";

describe("compileLabelSelector", () => {
  test("of an absent selector selects nothing, of an empty one everything", () => {
    for (const absent of [undefined, null]) {
      expect(compileLabelSelector(absent)).toEqual({ ok: true, selection: { selects: "nothing" } });
    }
    for (const empty of [{}, { matchLabels: {} }, { matchExpressions: [] }]) {
      expect(compileLabelSelector(empty)).toEqual({
        ok: true,
        selection: { selects: "matching", requirements: [] },
      });
    }
  });

  test.for<{
    name: string;
    selector: LabelSelector;
    text: string;
    match: Record<string, string>;
    miss: Record<string, string>;
  }>([
    {
      name: "exact labels",
      selector: { matchLabels: { b: "2", a: "1" } },
      text: "a=1,b=2",
      match: { a: "1", b: "2" },
      miss: { a: "1" },
    },
    {
      name: "sets",
      selector: {
        matchExpressions: [
          { key: "tier", operator: "In", values: ["web", "api"] },
          { key: "env", operator: "NotIn", values: ["test"] },
        ],
      },
      text: "env notin (test),tier in (api,web)",
      match: { tier: "api" },
      miss: { tier: "api", env: "test" },
    },
    {
      name: "presence together with labels",
      selector: {
        matchLabels: { app: "x" },
        matchExpressions: [
          { key: "a", operator: "Exists" },
          { key: "b", operator: "DoesNotExist", values: [] },
        ],
      },
      text: "a,app=x,!b",
      match: { app: "x", a: "" },
      miss: { app: "x", a: "", b: "" },
    },
  ])("reads $name", ({ selector, text, match, miss }) => {
    const compiled = compileLabelSelector(selector);
    if (!compiled.ok) throw new Error("not a selector");
    expect(formatLabelSelection(compiled.selection)).toBe(text);
    expect(matchesLabels(compiled.selection, match)).toBe(true);
    expect(matchesLabels(compiled.selection, miss)).toBe(false);
  });

  test.for<{ name: string; selector: LabelSelector; want: string }>([
    {
      name: "a set without values",
      selector: { matchExpressions: [{ key: "a", operator: "In" }] },
      want: "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    },
    {
      name: "presence with values",
      selector: { matchExpressions: [{ key: "a", operator: "Exists", values: ["b"] }] },
      want: "spec.selector.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    },
    {
      name: "an unknown operator",
      selector: { matchExpressions: [{ key: "a", operator: "Gt", values: ["1"] }] },
      want: 'spec.selector.matchExpressions[0].operator: Invalid value: "Gt": not a valid selector operator',
    },
    {
      name: "a bad key",
      selector: { matchExpressions: [{ key: "/a", operator: "Exists" }] },
      want: 'spec.selector.matchExpressions[0].key: Invalid value: "/a": prefix part must be non-empty',
    },
    {
      name: "a long value",
      selector: { matchExpressions: [{ key: "a", operator: "In", values: ["b", "c".repeat(64)] }] },
      want: `spec.selector.matchExpressions[0].values[1]: Invalid value: "${"c".repeat(64)}": must be no more than 63 bytes`,
    },
    {
      name: "a long label",
      selector: { matchLabels: { a: "c".repeat(64) } },
      want: `spec.selector.matchLabels: Invalid value: "${"c".repeat(64)}": must be no more than 63 bytes`,
    },
  ])("refuses $name", ({ selector, want }) => {
    const compiled = compileLabelSelector(selector, "spec.selector");
    expect(compiled.ok ? [] : compiled.errors.map(formatFieldError)).toEqual([want]);
  });
});

describe("compileLabelMap", () => {
  test.for([
    { labels: undefined, want: false },
    { labels: null, want: false },
    { labels: {}, want: false },
    { labels: { app: "web" }, want: true },
    { labels: { app: "other" }, want: false },
  ])("of $labels selects a web Pod: $want", ({ labels, want }) => {
    expect(matchesLabels(compileLabelMap(labels), { app: "web" })).toBe(want);
  });
});
