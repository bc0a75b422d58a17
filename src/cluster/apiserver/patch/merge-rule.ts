import { type PatchRule, patchRule } from "../../../api/schema/patch-rule.ts";

/** Describes how strategic merge treats one field of an object. */
export interface MergeRule {
  /** Objects merge unless this says `replace`; lists are replaced unless this says `merge`. */
  readonly strategy: "merge" | "replace" | undefined;
  /** The field that identifies the elements of a merged list; absent for scalars, which identify themselves. */
  readonly mergeKey: string | undefined;
  /** Returns the rule for a member of the object, of the map's values, or of the list's elements. */
  member(key: string): MergeRule;
}

/** The rule of fields that are not in the schema, and of free-form values. */
const plainRule: MergeRule = { strategy: undefined, mergeKey: undefined, member: () => plainRule };

const known = new Map<string, MergeRule>();

/** Returns the rule of a type in the schema table; cached. */
export function mergeRuleOf(typeName: string): MergeRule {
  const rule = known.get(typeName) ?? newRule(typeName);
  known.set(typeName, rule);
  return rule;
}

function newRule(typeName: string): MergeRule {
  const members = new Map<string, MergeRule>();
  const member = (key: string) => {
    const facts = members.has(key) ? undefined : patchRule(typeName, key);
    // Only keys of the schema are cached: others come from requests, in unlimited number.
    if (facts !== undefined) members.set(key, ruleOf(facts));
    return members.get(key) ?? plainRule;
  };
  return { ...plainRule, member };
}

function ruleOf(rule: PatchRule): MergeRule {
  switch (rule.merges) {
    case "object":
      return mergeRuleOf(rule.type);
    case "map":
      return { ...plainRule, member: () => mergeRuleOf(rule.type) };
    case "items":
      return { ...mergeRuleOf(rule.type), strategy: "merge", mergeKey: rule.key };
    case "set":
      return { ...plainRule, strategy: "merge" };
    case "nothing":
      return { ...plainRule, strategy: "replace" };
  }
}
