import { expect, test } from "vitest";
import { readOnlyFaults } from "./only-faults.ts";

const readWith = (text: string) => readOnlyFaults("only.json", () => ({ ok: true, text }));

test("the only faults are those of the array", () => {
  expect(readWith('["a", "b"]')).toEqual({ ok: true, identities: ["a", "b"] });
});

test("a file that is not there is one sentence", () => {
  const missing = readOnlyFaults("only.json", () => ({ ok: false, missing: true, reason: "no such file" }));
  expect(missing).toEqual({ ok: false, problem: "only.json: no such file" });
});

test.for(["", "a", '{"a": 1}', '["a", 1]'])("%j is no list of faults, and injects not just none", (text) => {
  expect(readWith(text)).toEqual({
    ok: false,
    problem: "only.json has no JSON array of faults, as trimtab faults run --save writes it",
  });
});
