import type { FieldPath } from "../field-error.ts";
import { type Member, shapeOf } from "./shape.ts";
import { schemaTable } from "./table.ts";

/** What a strategic merge patch does with a field. */
export type PatchRule =
  /** Member by member; with `retainKeys` a patch may list the only members to keep. */
  | { readonly merges: "object"; readonly type: string; readonly retainKeys: boolean }
  /** Key by key; `type` is that of the values. */
  | { readonly merges: "map"; readonly type: string }
  /** Items with an equal key are one object; the others are added. */
  | { readonly merges: "items"; readonly type: string; readonly key: string; readonly retainKeys: boolean }
  /** Texts or numbers: the union. */
  | { readonly merges: "set" }
  /** The patch's value takes the place of the old one. */
  | { readonly merges: "nothing" };

const nothing: PatchRule = { merges: "nothing" };

/** How a field of a type is patched; `undefined` when the type has no such field. */
export function patchRule(type: string, field: string): PatchRule | undefined {
  const member = shapeOf(type)?.byName.get(field);
  return member && ruleOf(member);
}

function ruleOf({ form, type, facts }: Member): PatchRule {
  const strategies = facts.patch?.split(",") ?? [];
  const retainKeys = strategies.includes("retainKeys");
  const isObject = schemaTable().types.has(type);
  if (strategies.includes("replace")) return nothing;
  if (form === "map") return { merges: "map", type };
  if (form === "single") return isObject ? { merges: "object", type, retainKeys } : nothing;
  if (!strategies.includes("merge")) return nothing;
  if (!isObject) return { merges: "set" };
  return facts.mergeKey === undefined ? nothing : { merges: "items", type, key: facts.mergeKey, retainKeys };
}

/** Returns the rule of a nested value; names lead into objects, numbers into lists, keys into maps. */
export function patchRuleAt(type: string, path: FieldPath): PatchRule | undefined {
  const [name, ...inside] = path;
  const member = shapeOf(type)?.byName.get(String(name));
  if (member === undefined || inside.length === 0) return member && ruleOf(member);
  if (member.form === "single") return patchRuleAt(member.type, inside);
  const [, ...insideElement] = inside;
  return insideElement.length === 0 ? elementRule(member) : patchRuleAt(member.type, insideElement);
}

function elementRule(member: Member): PatchRule {
  const rule = ruleOf(member);
  const retainKeys = rule.merges === "items" && rule.retainKeys;
  return schemaTable().types.has(member.type) ? { merges: "object", type: member.type, retainKeys } : nothing;
}
