import type { Json, JsonObject } from "../json.ts";
import { type Member, type Shape, shapeOf } from "./shape.ts";

/** Values found for the members of a shape, by index; absent ones are `undefined`. */
export type Slots = (Json | undefined)[];

const emptyList: readonly Json[] = Object.freeze([]);
const emptyMap: JsonObject = Object.freeze({});
const emptyObjects = new Map<string, JsonObject>();

/** What Kubernetes writes for an absent value that is always written; `undefined` for types whose zero value is null. */
export function zeroOf(type: string): Json | undefined {
  switch (type) {
    case "string":
    case "bytes":
      return "";
    case "bool":
      return false;
    case "int32":
    case "int64":
    case "double":
    case "IntOrString":
      return 0;
    case "Quantity":
      return "0";
    default:
      return emptyObject(type);
  }
}

function emptyObject(type: string): JsonObject | undefined {
  const known = emptyObjects.get(type);
  if (known !== undefined) return known;
  const shape = type.includes(".") ? shapeOf(type) : undefined;
  if (shape === undefined) return undefined;
  // Frozen, since all objects share it.
  const made = Object.freeze(assemble(shape, []));
  emptyObjects.set(type, made);
  return made;
}

/**
 * Assembles an object from the decoded values in the form of a Kubernetes API server: fields in schema order, zeros
 * dropped where absent means the same, and fields that are always written filled in, whatever the request looked like.
 */
export function assemble(shape: Shape, slots: Slots): JsonObject {
  const object: Record<string, Json> = {};
  for (const member of shape.members) {
    const found = slots[member.index];
    const value = found === undefined || isEmpty(member, found) ? fillerOf(member) : found;
    if (value !== undefined) object[member.name] = value;
  }
  return object;
}

function isEmpty({ form, pointer }: Member, value: Json): boolean {
  if (form === "list") return Array.isArray(value) && value.length === 0;
  if (form === "map") return Object.keys(value ?? {}).length === 0;
  return !pointer && (value === "" || value === 0 || value === false);
}

function fillerOf({ form, type, always }: Member): Json | undefined {
  if (!always) return undefined;
  if (form === "list") return emptyList;
  return form === "map" ? emptyMap : zeroOf(type);
}
