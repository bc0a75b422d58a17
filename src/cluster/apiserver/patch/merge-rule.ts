import { type PatchRule, patchRule } from "../../../api/schema/patch-rule.ts";

/** What strategic merge has to know about one place in an object. */
export interface MergeRule {
  /** Objects merge unless this says `replace`; lists are replaced unless this says `merge`. */
  readonly strategy: "merge" | "replace" | undefined;
  /** What tells the elements of a merged list apart; scalars tell themselves apart. */
  readonly mergeKey: string | undefined;
  /** The rule for a member of the object, of the map's values, or of the list's elements. */
  member(key: string): MergeRule;
}

/** The rule where the schema says nothing: unknown fields and free-form values. */
const plainRule: MergeRule = { strategy: undefined, mergeKey: undefined, member: () => plainRule };

const known = new Map<string, MergeRule>();

/** The rule for objects of a type in the schema table; made once. */
export function mergeRuleOf(typeName: string): MergeRule {
  const rule = known.get(typeName) ?? newRule(typeName);
  known.set(typeName, rule);
  return rule;
}

function newRule(typeName: string): MergeRule {
  const members = new Map<string, MergeRule>();
  const member = (key: string) => {
    const facts = members.has(key) ? undefined : patchRule(typeName, key);
    // Only what the schema knows is remembered: other keys come from requests, and without end.
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
