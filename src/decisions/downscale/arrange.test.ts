import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { pod } from "../../testing/pod.ts";
import { now } from "./any-pods.cases.ts";
import { arrange } from "./arrange.ts";
import type { Rule } from "./rules.ts";

const facts = { now, gates: defaultFeatureGates, related: () => 0 };

/** Rules that record the Pods they were called with: first by the tens of a Pod's number, then by its ones. */
function countingRules(): { readonly rules: readonly Rule[]; readonly asked: Map<string, number> } {
  const asked = new Map<string, number>();
  const digit = (part: "tens" | "ones") => (pod: Pod) => {
    const question = `${part} of ${pod.metadata.name}`;
    asked.set(question, (asked.get(question) ?? 0) + 1);
    const number = Number(pod.metadata.name);
    return part === "tens" ? Math.floor(number / 10) : number % 10;
  };
  const rules: readonly Rule[] = [
    { name: "phase", first: "lower", key: digit("tens") },
    { name: "restarts", first: "higher", key: digit("ones") },
  ];
  return { rules, asked };
}

const hundred = Array.from({ length: 100 }, (_, number) => pod(String((number * 37) % 100).padStart(2, "0")));

test("arrange asks no rule twice about a Pod, and none about a Pod that is settled", () => {
  const { rules, asked } = countingRules();
  const pods = [pod("11"), pod("12"), pod("25"), pod("31"), pod("31")];
  arrange(pods, { rules, facts, length: pods.length });
  expect(asked.get("ones of 11")).toBe(1);
  expect(asked.has("ones of 25")).toBe(false);
  // Two Pods of that name, each asked once.
  expect(asked.get("tens of 31")).toBe(2);
});

test("arrange orders only as much as is asked for", () => {
  const { rules, asked } = countingRules();
  const { order } = arrange(hundred, { rules, facts, length: 15 });
  const names = Array.from(order, (index) => hundred[index]?.metadata.name);
  expect(names.slice(0, 15)).toEqual("09 08 07 06 05 04 03 02 01 00 19 18 17 16 15".split(" "));
  expect(new Set(names).size).toBe(100);
  expect([...asked.keys()].filter((question) => question.startsWith("ones"))).toHaveLength(20);
});

test("arrange marks where rules separate, and says why", () => {
  const pods = [pod("12"), pod("11"), pod("21"), pod("21")];
  const { order, boundaries, reason } = arrange(pods, { rules: countingRules().rules, facts, length: 4 });
  expect([...order]).toEqual([0, 1, 2, 3]);
  expect(boundaries.slice(1)).toEqual(Uint8Array.of(1, 0, 2));
  expect(reason(1, 0, 1)).toEqual({ rule: "restarts", value: 2, against: { pod: pods[1], value: 1 } });
  expect(reason(0, 1, 2)).toEqual({ rule: "phase", value: 1, against: { pod: pods[2], value: 2 } });
  // Pods that no rule separates get the last one.
  expect(reason(2, 2, 3)).toMatchObject({ rule: "restarts", value: 1, against: { value: 1 } });
});
