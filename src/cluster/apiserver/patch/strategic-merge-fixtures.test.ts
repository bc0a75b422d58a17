import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { mergeRuleOf } from "./merge-rule.ts";
import { applyStrategicMergePatch } from "./strategic-merge-patch.ts";

/** What kubectl sent, and what kubectl itself makes of it (`kubectl patch --local`). */
interface Fixture {
  readonly command: string;
  /** The versions of kubectl that send this very patch. */
  readonly versions: readonly string[];
  readonly type: string;
  readonly before: JsonObject;
  readonly patch: JsonObject;
  readonly after: JsonObject;
}

const data = new URL("../../../../test/fixtures/", import.meta.url);
const folder = new URL("strategic-merge/", data);
const fixtures = readdirSync(folder).map((file) => ({
  name: file.replace(".json", ""),
  fixture: JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Fixture,
}));

test.for(fixtures)("$name: the server makes of it what kubectl makes of it", ({ fixture }) => {
  const { before, patch, type, after } = fixture;
  expect(applyStrategicMergePatch(before, patch, mergeRuleOf(type))).toEqual({ ok: true, value: after });
});

test.for(fixtures)("$name: sent twice it changes nothing the second time", ({ fixture }) => {
  const { before, patch, type } = fixture;
  const once = applyStrategicMergePatch(before, patch, mergeRuleOf(type));
  const twice = once.ok && applyStrategicMergePatch(once.value, patch, mergeRuleOf(type));
  expect(twice && twice.ok && twice.value).toBe(once.ok && once.value);
});

test("random patches of Deployments end as kubectl ends them", () => {
  const file = readFileSync(new URL("strategic-merge-random.json", data), "utf8");
  const cases = JSON.parse(file) as readonly Pick<Fixture, "before" | "patch" | "after">[];
  for (const { before, patch, after } of cases) {
    expect(applyStrategicMergePatch(before, patch, mergeRuleOf("apps.v1.Deployment"))).toEqual({
      ok: true,
      value: after,
    });
  }
});
