import type {
  ExpressionWarning,
  NamedRuleWithOperations,
  ValidatingAdmissionPolicySpec,
} from "../../../../../api/generated/admissionregistration-v1.ts";
import { compareText } from "../../../../../api/compare-text.ts";
import { compileExpression } from "../../../cel/compile-expression.ts";
import { type CelType, dyn } from "../../../cel/types/cel-type.ts";
import type { ServedResource } from "../../../served-resource.ts";
import { compileVariables } from "../compile-policy.ts";
import { policyVariables, type PolicyScope } from "../compile-policy-expression.ts";
import { kindTextOf, paramKindText } from "../find-params.ts";
import { objectTypeOf } from "./object-type.ts";

/** How many kinds a rule is checked against. */
const mostKinds = 10;

/**
 * Checks the expressions of a policy against the kinds that its rules name without a `*`, and returns what does not fit;
 * pauses after each expression. Such a policy is evaluated all the same: an expression may ask for the kind first.
 */
export function* checkPolicyTypes(
  spec: ValidatingAdmissionPolicySpec,
  resources: readonly ServedResource[],
): Generator<undefined, readonly ExpressionWarning[]> {
  const scopes = yield* scopesOf(spec, resources);
  const warnings: ExpressionWarning[] = [];
  for (const [index, { expression, messageExpression = "" }] of (spec.validations ?? []).entries()) {
    const path = `spec.validations[${index}]`;
    for (const [field, text] of Object.entries({ expression, messageExpression })) {
      if (text === "") continue;
      const problems = yield* problemsOf(text, scopes);
      if (problems.length > 0) warnings.push({ fieldRef: `${path}.${field}`, warning: problems.join("\n") });
    }
  }
  return warnings;
}

/** A kind, and what expressions can read about its objects. */
interface KindScope {
  readonly kind: string;
  readonly scope: PolicyScope;
}

function* scopesOf(
  spec: ValidatingAdmissionPolicySpec,
  resources: readonly ServedResource[],
): Generator<undefined, readonly KindScope[]> {
  const params = paramsTypeOf(spec, resources);
  const scopes: KindScope[] = [];
  for (const resource of kindsOf(spec.matchConstraints?.resourceRules ?? [], resources)) {
    const object = objectTypeOf(resource);
    yield undefined;
    if (object === undefined) continue;
    const { types } = yield* compileVariables(spec.variables ?? [], { params, object });
    const known = types.size === 0 ? undefined : types;
    scopes.push({ kind: kindTextOf(resource), scope: { params, object, variables: known } });
  }
  return scopes;
}

function paramsTypeOf(
  { paramKind }: ValidatingAdmissionPolicySpec,
  resources: readonly ServedResource[],
): CelType | undefined {
  if (paramKind === undefined) return undefined;
  const resource = resources.find((each) => kindTextOf(each) === paramKindText(paramKind));
  return (resource && objectTypeOf(resource)) ?? dyn;
}

function* problemsOf(text: string, scopes: readonly KindScope[]): Generator<undefined, readonly string[]> {
  const problems: string[] = [];
  for (const { kind, scope } of scopes) {
    const result = compileExpression(text, policyVariables(scope));
    if (!result.ok && result.stage === "compilation") problems.push(`${kind}: ${result.error}\n`);
    yield undefined;
  }
  return problems;
}

/** Returns the resources that rules name, ordered by group, version and kind. */
function kindsOf(
  rules: readonly NamedRuleWithOperations[],
  resources: readonly ServedResource[],
): readonly ServedResource[] {
  const found = new Map<string, ServedResource>();
  for (const { apiGroups = [], apiVersions = [], resources: plurals = [] } of rules) {
    if ([...apiGroups, ...apiVersions].some((each) => each.includes("*"))) continue;
    const wanted = new Set(plurals.filter((plural) => !/[*/]/.test(plural)));
    const named = resources.filter(
      ({ group, version, plural }) =>
        apiGroups.includes(group) && apiVersions.includes(version) && wanted.has(plural),
    );
    for (const resource of named.slice(0, mostKinds)) found.set(kindTextOf(resource), resource);
  }
  return [...found.values()].toSorted(
    (a, b) =>
      compareText(a.group, b.group) || compareText(a.version, b.version) || compareText(a.kind, b.kind),
  );
}
