import * as fc from "fast-check";
import { expect, test } from "vitest";
import { deepEqual } from "../../api/deep-equal.ts";
import type { JsonObject } from "../../api/json.ts";
import { mergeJson } from "../../cluster/apiserver/patch/merge-patch.ts";
import type { StoredJson } from "../../cluster/store/store.ts";
import { mergePatchBetween } from "./lines.ts";
import { type Entry, Recording, readRecording } from "./recording.ts";

const member = fc.constantFrom("a", "b", "c");
const json = fc.letrec((tie) => ({
  object: fc.dictionary(member, tie("value"), { maxKeys: 3 }),
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 1, "x"),
    fc.array(fc.constantFrom(1, null, "y"), { maxLength: 2 }),
    tie("object"),
  ),
}));
const objects = json.object as fc.Arbitrary<JsonObject>;

test("a difference merged into what was there gives what came, whenever there is one", () => {
  let count = 0;
  fc.assert(
    fc.property(objects, objects, (before, after) => {
      const difference = mergePatchBetween(before, after);
      if (difference === undefined) return;
      count++;
      expect(deepEqual(mergeJson(before, difference), after)).toBe(true);
    }),
    { numRuns: 500 },
  );
  expect(count).toBeGreaterThan(100);
});

const start = 1000;
const thing = (spec: JsonObject) =>
  ({ apiVersion: "v1", kind: "Thing", metadata: { name: "x" }, spec }) as unknown as StoredJson;

function revision(revision: number, object: StoredJson | undefined, previous?: StoredJson): Entry {
  const type = object === undefined ? "DELETED" : previous === undefined ? "ADDED" : "MODIFIED";
  const last = object ?? previous;
  if (last === undefined) throw new Error("a revision of nothing");
  return {
    kind: "revision",
    at: start + revision,
    revision,
    type,
    collection: "things",
    key: "x",
    object: last,
    previous,
  };
}

const entries: readonly Entry[] = [
  revision(1, thing({ size: 1, keep: "it" })),
  revision(2, thing({ size: 2, keep: "it" }), thing({ size: 1, keep: "it" })),
  { kind: "fault", at: start + 2, fault: "conflict", what: { verb: "update" } },
  revision(3, thing({ size: null }), thing({ size: 2, keep: "it" })),
  { kind: "decision", at: start + 3, by: "ReplicaSet", what: { removing: 1 } },
  revision(4, undefined, thing({ size: null })),
];

function record(): Recording {
  const recording = new Recording(start);
  for (const entry of entries) recording.add(entry);
  return recording;
}

test("lines tell what changed, and everything again where a difference could not", () => {
  expect([...record().lines()]).toEqual([
    '[1,1,"+","things","x",{"apiVersion":"v1","kind":"Thing","metadata":{"name":"x"},"spec":{"size":1,"keep":"it"}}]',
    '[2,2,"~","things","x",{"spec":{"size":2}}]',
    '[2,"fault","conflict",{"verb":"update"}]',
    '[3,3,"=","things","x",{"apiVersion":"v1","kind":"Thing","metadata":{"name":"x"},"spec":{"size":null}}]',
    '[3,"decision","ReplicaSet",{"removing":1}]',
    '[4,4,"-","things","x"]',
  ]);
});

test("a recording is read back as it was written", () => {
  const recording = record();
  expect(readRecording(recording.lines(), start).entries).toEqual(recording.entries);
});

test("a state holds what was there when its instant was over", () => {
  const sizeAt = (at: number) =>
    record()
      .stateAt(start + at)
      .get("things")
      ?.get("x")?.["spec"];
  expect([0, 1, 2, 3, 4].map(sizeAt)).toEqual([
    undefined,
    { size: 1, keep: "it" },
    { size: 2, keep: "it" },
    { size: null },
    undefined,
  ]);
});
