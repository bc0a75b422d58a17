import type { CompiledExpression } from "../../cel/compile-expression.ts";
import type { SchemaRule, StructuralSchema } from "../structural/structural-schema.ts";

/** The rules of a schema and of what is below it; places without rules are left out. */
export interface RuleNode {
  readonly schema: StructuralSchema;
  /** Whether it is the root of a resource, so that rules read its kind and its name. */
  readonly isResource: boolean;
  readonly rules: readonly CompiledRule[];
  /** Why other rules do not compile; there are none in a definition that was accepted. */
  readonly problems: readonly string[];
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly values?: RuleNode | undefined;
  readonly items?: RuleNode | undefined;
}

/** A rule that can be evaluated. */
export interface CompiledRule {
  readonly rule: SchemaRule;
  readonly expression: CompiledExpression;
  readonly message?: CompiledExpression | undefined;
  readonly usesOldSelf: boolean;
  /** The place of its errors below the value. */
  readonly fieldPath?: string | undefined;
}
