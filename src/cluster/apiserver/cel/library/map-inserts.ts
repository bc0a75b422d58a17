import { map, parameter } from "../types/cel-type.ts";
import { type CelMap, type CelValue, noSuchOverload } from "../values/cel-value.ts";
import { LiteralMap } from "../values/literal-map.ts";
import { anything, type CelFunction, form, mapOfType } from "./overload.ts";

const k = parameter("K");
const v = parameter("V");
const anyMap = mapOfType(k, v);

/** Adds to the map that a macro collects; nothing else refers to it before its loop has ended. */
function insert(into: CelMap, key: CelValue, value: CelValue): CelValue {
  return into instanceof LiteralMap ? (into.add(key, value) ?? into) : noSuchOverload;
}

/** What `transformMap()` and `transformMapEntry()` collect with. */
export const mapInsertFunctions: readonly CelFunction[] = [
  {
    name: "cel.@mapInsert",
    overloads: [
      form(
        { id: "@mapInsert_map_key_value", takes: [anyMap, anything(k), anything(v)], gives: map(k, v) },
        insert,
      ),
      form({ id: "@mapInsert_map_map", takes: [anyMap, anyMap], gives: map(k, v) }, (into, entries) => {
        for (const key of entries.keys()) {
          const added = insert(into, key, entries.get(key) ?? null);
          if (added !== into) return added;
        }
        return into;
      }),
    ],
  },
];
