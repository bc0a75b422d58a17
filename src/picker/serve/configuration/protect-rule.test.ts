import { expect, test } from "vitest";
import { ruleProtects, parseProtectRule } from "./protect-rule.ts";

test.for([
  ["> 0", 0, false],
  ["> 0", 0.5, true],
  [">=1", 1, true],
  ["< -2.5", -3, true],
  ["<= 1e3", 1001, false],
  ["== 4", 4, true],
  ["!= 4", 4, false],
] as const)("%j of %j is %j", ([text, number, want]) => {
  const rule = parseProtectRule(text);
  expect(rule && ruleProtects(rule, number)).toBe(want);
});

test.for(["", "0", "> ", "=> 1", "> x", "> 1 2", "> NaN", "=1"])("%j is no comparison", (text) => {
  expect(parseProtectRule(text)).toBeUndefined();
});
