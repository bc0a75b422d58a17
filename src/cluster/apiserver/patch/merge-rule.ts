import { type FieldFacts, schemaTable } from "../../../api/schema/table.ts";

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

const rules = new Map<string, MergeRule>();

/** The rule for objects of a type in the schema table; made once. */
export function mergeRuleOf(typeName: string): MergeRule {
  const known = rules.get(typeName);
  if (known !== undefined) return known;
  const members = membersOf(typeName);
  if (members.size === 0) return plainRule;
  const made = new Map<string, MergeRule>();
  const rule: MergeRule = {
    ...plainRule,
    member(key) {
      const facts = members.get(key);
      if (facts === undefined) return plainRule;
      const member = made.get(key) ?? ruleOfField(facts);
      made.set(key, member);
      return member;
    },
  };
  rules.set(typeName, rule);
  return rule;
}

function ruleOfField(facts: FieldFacts): MergeRule {
  const ofValue = mergeRuleOf(facts.type ?? facts.list ?? facts.map ?? "");
  // What sits under a map's key is the value itself, one level further down than an object's member.
  if (facts.map !== undefined) return { ...plainRule, member: () => ofValue };
  return { strategy: strategyOf(facts), mergeKey: facts.mergeKey, member: (key) => ofValue.member(key) };
}

// `retainKeys` is no strategy of its own: it only announces that patches may carry the directive.
function strategyOf({ patch }: FieldFacts): MergeRule["strategy"] {
  if (patch === "replace") return "replace";
  return patch === "merge" || patch === "merge,retainKeys" ? "merge" : undefined;
}

function membersOf(typeName: string): ReadonlyMap<string, FieldFacts> {
  const fields = Object.entries(schemaTable().types.get(typeName)?.fields ?? {});
  return new Map(
    fields.flatMap(([name, facts]) =>
      facts.inline === true ? [...membersOf(facts.type ?? "")] : [[name, facts] as const],
    ),
  );
}
