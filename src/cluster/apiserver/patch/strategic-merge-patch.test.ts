import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../api/json.ts";
import { strategicCases, strategicRefusals } from "./strategic-merge-patch.cases.ts";
import { mergeRuleOf } from "./merge-rule.ts";
import { applyStrategicMergePatch } from "./strategic-merge-patch.ts";

const podSpec = "core.v1.PodSpec";

function patched(before: JsonObject, patch: Json, type = podSpec): JsonObject {
  const result = applyStrategicMergePatch(before, patch, mergeRuleOf(type));
  if (!result.ok) throw new Error(result.message);
  return result.value;
}

/** Arbitrary container lists with unique names. */
const containers = fc.uniqueArray(
  fc.record(
    {
      name: fc.constantFrom("a", "b", "c", "d"),
      image: fc.constantFrom("1", "2"),
      args: fc.array(fc.constantFrom("x", "y"), { maxLength: 2 }),
    },
    { requiredKeys: ["name"] },
  ),
  { selector: ({ name }) => name, maxLength: 4 },
);
const specs = fc.record(
  { containers, hostname: fc.constantFrom("h", "i"), nodeSelector: fc.constantFrom({ a: "1" }, { b: "2" }) },
  { requiredKeys: [] },
);

/** The patch that leads from one list of containers to another: what kubectl computes, in short. */
function diffContainers(before: readonly JsonObject[], after: readonly JsonObject[]): JsonObject {
  const named = (list: readonly JsonObject[], name: Json | undefined) =>
    list.find((each) => each.name === name);
  const changed = after.map((each) => {
    const cleared = Object.keys(named(before, each.name) ?? {}).map((key) => [key, null]);
    return { ...(Object.fromEntries(cleared) as JsonObject), ...each };
  });
  const gone = before.filter((each) => named(after, each.name) === undefined);
  const deletions = gone.map(({ name }) => ({ $patch: "delete", name: name ?? null }));
  return {
    containers: [...changed, ...deletions],
    "$setElementOrder/containers": after.map(({ name }) => ({ name: name ?? null })),
  };
}

describe("strategic merge patch", () => {
  test.for(strategicCases)("$name", ({ before, patch, want, type }) => {
    const untouched = structuredClone(before);
    const result = patched(before, patch, type);
    expect(result).toEqual(want);
    expect(JSON.stringify(result)).not.toContain("$");
    expect(before).toEqual(untouched);
    expect(patched(result, patch, type)).toEqual(want);
  });

  test.for(strategicRefusals)("refuses $name", ({ patch, code }) => {
    expect(applyStrategicMergePatch({}, patch, mergeRuleOf(podSpec))).toMatchObject({ ok: false, code });
  });

  test("names the key an element lacks", () => {
    expect(
      applyStrategicMergePatch({}, { containers: [{ image: "i" }] }, mergeRuleOf(podSpec)),
    ).toMatchObject({
      message: `map: {"image":"i"} does not contain declared merge key: name`,
    });
  });

  test("keeps two ports of one number, and changes the first", () => {
    const udp = { containerPort: 53, protocol: "UDP" };
    const before = { containers: [{ name: "dns", ports: [{ containerPort: 53, protocol: "TCP" }, udp] }] };
    const patch = { containers: [{ name: "dns", ports: [{ containerPort: 53, name: "dns" }] }] };
    expect(patched(before, patch)).toEqual({
      containers: [{ name: "dns", ports: [{ containerPort: 53, protocol: "TCP", name: "dns" }, udp] }],
    });
  });

  test("shares what it does not touch", () => {
    const before = {
      containers: [
        { name: "a", env: [] },
        { name: "b", env: [] },
      ],
      affinity: { a: 1 },
    };
    const after = patched(before, { containers: [{ name: "a", image: "2" }] });
    expect(after.affinity).toBe(before.affinity);
    expect((after.containers as readonly Json[])[1]).toBe(before.containers[1]);
    expect(((after.containers as readonly JsonObject[])[0] as JsonObject).env).toBe(
      before.containers[0]?.env,
    );
  });

  test.for(["__proto__", "constructor", "prototype"])("refuses the key %s", (key) => {
    const patch = JSON.parse(`{"containers":[{"name":"a","env":[{"name":"x","${key}":{}}]}]}`) as Json;
    expect(applyStrategicMergePatch({}, patch, mergeRuleOf(podSpec))).toMatchObject({ ok: false, code: 400 });
  });

  test.for(["__proto__", "constructor", "toString"])("takes nothing inherited for the list %s", (field) => {
    const patch = { [`$setElementOrder/${field}`]: [], [`$deleteFromPrimitiveList/${field}`]: [] };
    expect(patched({ hostname: "h" }, patch)).toEqual({ hostname: "h" });
  });

  test("hands back the same object when nothing changes", () => {
    fc.assert(
      fc.property(specs, (spec) => {
        expect(patched(spec, structuredClone(spec))).toBe(spec);
      }),
    );
  });

  test("reproduces the difference between any two lists of containers", () => {
    fc.assert(
      fc.property(containers, containers, (before, after) => {
        const patch = diffContainers(before, after);
        expect(patched({ containers: before }, patch)).toEqual({ containers: after });
      }),
    );
  });

  test("applied twice is applied once", () => {
    fc.assert(
      fc.property(specs, specs, (before, patch) => {
        const once = patched(before, patch);
        expect(patched(once, patch)).toBe(once);
      }),
    );
  });

  test("never fails on, nor changes, what it is given", () => {
    const words = fc.constantFrom(
      "containers",
      "env",
      "name",
      "$patch",
      "$retainKeys",
      "$setElementOrder/containers",
      "$deleteFromPrimitiveList/containers",
      "delete",
      "replace",
    );
    const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        words,
        fc.constant(null),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(words, tie("tree"), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(words, tree), tree, (document, patch) => {
        const untouched = structuredClone([document, patch]);
        const result = applyStrategicMergePatch(document, patch, mergeRuleOf(podSpec));
        expect(typeof result.ok).toBe("boolean");
        expect([document, patch]).toEqual(untouched);
      }),
    );
  });
});
