import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ConfigMap } from "../../api/generated/core-v1.ts";
import { Indexer } from "./indexer.ts";

const holding = (name: string, data: Readonly<Record<string, string>>): ConfigMap => ({
  metadata: { name, uid: name, resourceVersion: "1" },
  data,
});
const colours = (object: ConfigMap) => Object.values(object.data ?? {});
const names = (objects: readonly ConfigMap[]) => objects.map((object) => object.metadata.name);

test("an object is found under every value of an index and no other", () => {
  const store = new Indexer<ConfigMap>();
  store.addIndex("colours", colours);
  store.put("a", holding("a", { one: "red", two: "blue" }));
  store.put("b", holding("b", { one: "red" }));
  expect(names(store.byIndex("colours", "red"))).toEqual(["a", "b"]);
  store.put("a", holding("a", { one: "green", two: "blue" }));
  expect(names(store.byIndex("colours", "red"))).toEqual(["b"]);
  expect(names(store.byIndex("colours", "green"))).toEqual(["a"]);
  store.remove("a");
  expect(store.byIndex("colours", "blue")).toEqual([]);
});

test("an index that comes late knows what is there, and one of the same name changes nothing", () => {
  const store = new Indexer<ConfigMap>();
  const object = holding("a", { one: "red" });
  store.put("a", object);
  store.addIndex("colours", colours);
  store.addIndex("colours", () => []);
  expect(store.byIndex("colours", "red")[0]).toBe(object);
});

test("asking an index that does not exist is a mistake", () => {
  expect(() => new Indexer().byIndex("colours", "red")).toThrow('no index is called "colours"');
});

test("an index answers what a search through everything would", () => {
  const key = fc.constantFrom("a", "b", "c", "d");
  const value = fc.constantFrom("red", "green", "blue");
  const change = fc.tuple(key, fc.option(fc.array(value, { maxLength: 3 })));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30, size: "max" }), (changes) => {
      const store = new Indexer<ConfigMap>();
      store.addIndex("colours", colours);
      for (const [key, values] of changes) {
        if (values === null) store.remove(key);
        else store.put(key, holding(key, Object.fromEntries(values.entries())));
        for (const colour of ["red", "green", "blue"]) {
          const searched = store.list().filter((object) => colours(object).includes(colour));
          expect(new Set(store.byIndex("colours", colour))).toEqual(new Set(searched));
        }
      }
    }),
  );
});
