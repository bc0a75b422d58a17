import { isJsonObject } from "../../api/json.ts";
import { parseQuantity } from "../../api/quantity/quantity.ts";
import { type Member, shapeOf } from "../../api/schema/shape.ts";
import { parseTime } from "../../api/time.ts";
import { canonicalJson } from "./canonical-json.ts";

/**
 * The text of a Pod template in which templates that mean the same are the same: empty lists and maps are as good as
 * absent, so is the zero of a field that cannot tell the two apart, quantities go by value and times by instant.
 */
export function canonicalTemplate(template: unknown): string {
  return canonicalJson(essenceOf("core.v1.PodTemplateSpec", template));
}

/** What is left of a member once everything that means nothing is taken away; `undefined` when that is all of it. */
function memberEssence({ form, type, pointer }: Member, value: unknown): unknown {
  if (form === "list" && Array.isArray(value)) return listEssence(type, value);
  if (form === "map" && isJsonObject(value)) return mapEssence(type, value);
  const essence = essenceOf(type, value);
  return !pointer && isZero(essence) ? undefined : essence;
}

// Elements of lists and maps are there or not: their zeros count.
function listEssence(type: string, list: readonly unknown[]): unknown {
  return list.length === 0 ? undefined : list.map((element) => essenceOf(type, element));
}

function mapEssence(type: string, map: object): unknown {
  const entries = Object.entries(map).map(([key, value]) => [key, essenceOf(type, value) ?? ""]);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function essenceOf(type: string, value: unknown): unknown {
  if (type === "Quantity") return quantityEssence(value);
  if (type === "Time") return typeof value === "string" ? (parseTime(value) ?? value) : value;
  return isJsonObject(value) ? structEssence(type, value) : value;
}

function structEssence(type: string, value: object): unknown {
  const members = shapeOf(type)?.byName;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, content]) => {
        const member = members?.get(name);
        return [name, member === undefined ? content : memberEssence(member, content)] as const;
      })
      .filter(([, essence]) => essence !== undefined && essence !== null),
  );
}

function quantityEssence(value: unknown): unknown {
  if (typeof value !== "string" && typeof value !== "number") return value;
  const nanos = parseQuantity(String(value))?.nanos;
  if (nanos === undefined) return value;
  return nanos === 0n ? 0 : `${nanos}n`;
}

function isZero(value: unknown): boolean {
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return value === "" || value === 0 || value === false;
}
