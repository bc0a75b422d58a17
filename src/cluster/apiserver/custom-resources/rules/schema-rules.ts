import type { FieldError } from "../../../../api/field-error.ts";
import type { JsonObject } from "../../../../api/json.ts";
import type { StructuralSchema } from "../structural/structural-schema.ts";

/** The rules (`x-kubernetes-validations`) of one version of a custom kind, ready to be evaluated. */
export interface SchemaRules {
  /**
   * Evaluates the rules on an object that its schema accepts. It yields after every stretch of work, so that the caller can
   * let others go on, and returns what the rules found.
   */
  evaluate(evaluation: RuleEvaluation): Generator<undefined, RuleFindings>;
}

/** What rules are evaluated on. */
export interface RuleEvaluation {
  /** The whole object, with its defaults. */
  readonly object: JsonObject;
  /** The object that is replaced; absent at creation. */
  readonly oldObject?: JsonObject | undefined;
  /** The cost that is left for the request, which evaluations reduce; in units of CEL, never in time. */
  readonly budget: CostBudget;
}

/** The cost that evaluations may still have. */
export interface CostBudget {
  left: number;
}

/** The cost of all rules that one request may evaluate (upstream: PerRequestCostBudget…RuntimeCELCostBudget). */
export const requestCostBudget = 10_000_000;

/** What the rules of a schema say about an object. */
export interface RuleFindings {
  readonly errors: readonly FieldError[];
  /** Failures of rules on values that the update leaves unchanged, as texts for `Warning` headers. */
  readonly warnings: readonly string[];
}

/** A schema whose rules are compiled, when its CustomResourceDefinition is written or served. */
export interface RuleSource {
  readonly schema: StructuralSchema;
  /** The path of the schema, which the fields of errors begin with. */
  readonly path: string;
  /** Whether the limits of estimated costs apply; they do not while the schema of a version stays as it was. */
  readonly limitsCost: boolean;
}

/** The result of compiling the rules of a schema. */
export interface RuleCompilation {
  /** What is wrong with the rules: they do not compile, use `oldSelf` where they may not, or cost too much. */
  readonly errors: readonly FieldError[];
  /** Absent when the schema has no rules, or cannot be evaluated. */
  readonly rules?: SchemaRules | undefined;
}

/** Compiles the rules of a schema that is structural and has valid defaults. */
export type CompileRules = (source: RuleSource) => RuleCompilation;
