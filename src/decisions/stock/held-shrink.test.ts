import { expect, test } from "vitest";
import { answerShrink, shrinkPatch } from "./deferred-shrink.ts";
import { readHeld } from "./held-shrink.ts";

const now = 1_000_000;
const held = { "trimtab.dev/held-removal": "5_3.900", "trimtab.dev/held-at": "8" };
const partly = { "trimtab.dev/held-removal": "5_2.900", "trimtab.dev/held-at": "7" };
const due = { "trimtab.dev/removal-due": "990" };
const ready = { size: 5, askedAt: 995, isReady: true };

test.each<[string, object, Partial<Parameters<typeof answerShrink>[0]>, object]>([
  ["is held back as before", held, {}, { kind: "hold" }],
  ["is decided anew when that is due", { ...held, ...due }, {}, { kind: "defer" }],
  ["of another size is decided anew", held, { asked: 4 }, { kind: "defer" }],
  ["of a ReplicaSet that has another size by now is decided anew", held, { old: 9 }, { kind: "defer" }],
  [
    "that is decided gets the size for now",
    partly,
    { deferred: ready },
    { kind: "admit", size: 7, isHeld: true },
  ],
  ["that nobody holds back gets what it asks for", {}, { deferred: ready }, { kind: "admit", size: 5 }],
  ["to no Pods at all waits for protected ones", {}, { asked: 0, isProtecting: true }, { kind: "defer" }],
  ["to no Pods at all does not wait otherwise", {}, { asked: 0 }, { kind: "admit", size: 0 }],
  [
    "with labels that are not ours is decided",
    { ...held, "trimtab.dev/held-at": "x" },
    {},
    { kind: "defer" },
  ],
])("a shrink %s", (_, labels, traits, answer) => {
  const asked = { old: 8, asked: 5, deferred: undefined, held: readHeld(labels as never), now, ...traits };
  expect(answerShrink(asked)).toMatchObject(answer);
});

test("held back as before, nothing but the size of a request is changed: nothing is stored", () => {
  const metadata = { labels: held, annotations: { "deployment.kubernetes.io/desired-replicas": "5" } };
  const request = { old: 8, asked: 5, object: metadata, oldObject: metadata, generation: 4 };
  expect(shrinkPatch({ kind: "hold" }, request)).toEqual([
    { op: "replace", path: "/spec/replicas", value: 8 },
  ]);
});

test("admitted in part, a request keeps the labels of its hold, and nothing is due", () => {
  const metadata = { labels: { ...partly, ...due }, annotations: {} };
  const request = { old: 8, asked: 5, object: metadata, oldObject: metadata, generation: 4 };
  const removed = shrinkPatch({ kind: "admit", size: 7, isHeld: true }, request)
    .filter(({ op }) => op === "remove")
    .map(({ path }) => path);
  expect(removed).toEqual(["/metadata/labels/trimtab.dev~1removal-due"]);
});
