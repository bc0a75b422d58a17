import { expect, expectTypeOf, test } from "vitest";
import { node } from "../../testing/node.ts";
import type { Placement } from "./place-pod.ts";
import { type SharedRejection, unresolvable } from "./plugin.ts";
import { RefusedNodeList, type RefusedNodes } from "./refused-nodes.ts";
import { clusterViewOf } from "./view/list-view.ts";

const { nodes } = clusterViewOf({ nodes: ["a", "b", "c"].map((name) => node(name)) });
const cordoned = unresolvable("node(s) were unschedulable");
const skewed: SharedRejection = {
  kind: "rejects",
  code: "Unschedulable",
  reasons: ["too uneven"],
  detail: { subject: ({ name }) => name, text: (name) => `too many on ${name}` },
};

function refusedBy(
  ...refusals: readonly (readonly [refusal: typeof cordoned | SharedRejection, plugin: string])[]
) {
  const refused = new RefusedNodeList();
  const plugins = new Map(refusals.map(([, plugin]) => [plugin, [plugin]]));
  for (const [index, [refusal, plugin]] of refusals.entries()) {
    const examined = nodes[index];
    if (examined !== undefined) refused.add(examined, refusal, plugins.get(plugin) ?? []);
  }
  return refused;
}

test("every refused node has its rejection, with the detail that is its own", () => {
  expect(refusedBy([skewed, "P"], [cordoned, "Q"], [skewed, "P"]).toArray()).toEqual([
    { node: "a", rejection: { ...skewed, detail: "too many on a", plugins: ["P"] } },
    { node: "b", rejection: { ...cordoned, plugins: ["Q"] } },
    { node: "c", rejection: { ...skewed, detail: "too many on c", plugins: ["P"] } },
  ]);
});

test("a refusal that two plugins return is told of each", () => {
  const refused = refusedBy([cordoned, "P"], [cordoned, "Q"], [cordoned, "P"]);
  expect(refused.toArray().map(({ rejection }) => rejection.plugins)).toEqual([["P"], ["Q"], ["P"]]);
  expect(refused.plugins()).toEqual(new Set(["P", "Q"]));
});

test("reasons and codes are known without making a detail", () => {
  const unspeakable: SharedRejection = {
    ...skewed,
    detail: {
      ...skewed.detail,
      text: () => {
        throw new Error("made a detail");
      },
    },
  };
  const refused = refusedBy([unspeakable, "P"], [cordoned, "Q"]);
  expect([...refused.reasons()]).toEqual([["too uneven"], ["node(s) were unschedulable"]]);
  expect(refused.codes()).toEqual(
    new Map([
      ["a", "Unschedulable"],
      ["b", "UnschedulableAndUnresolvable"],
    ]),
  );
});

test("a copy keeps its nodes while the original is filled again", () => {
  const refused = refusedBy([skewed, "P"], [cordoned, "Q"]);
  const before = refused.toArray();
  const copy = refusedBy([cordoned, "Q"], [skewed, "P"], [skewed, "P"]);
  copy.replace(refused);
  refused.clear();
  for (const each of nodes) refused.add(each, cordoned, ["R"]);
  expect(copy.toArray()).toEqual(before);
});

test("the list of a placement shows its readers nothing that writes", () => {
  expectTypeOf<keyof Placement["refused"]>().toEqualTypeOf<
    "length" | "plugins" | "reasons" | "codes" | "toArray" | typeof Symbol.iterator
  >();
});

test("a copy of a list that a library user wrote has its nodes", () => {
  const original = refusedBy([skewed, "P"], [cordoned, "Q"]);
  const written: RefusedNodes = {
    length: original.length,
    plugins: () => original.plugins(),
    reasons: () => original.reasons(),
    codes: () => original.codes(),
    toArray: () => original.toArray(),
    [Symbol.iterator]: () => original[Symbol.iterator](),
  };
  const copy = refusedBy([cordoned, "Q"]);
  copy.replace(written);
  expect(copy.toArray()).toEqual(original.toArray());
});
