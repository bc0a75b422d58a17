import { invalid } from "../../../../api/field-error.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import type { Checked, Findings } from "./validate-value.ts";

type Check = (checked: Checked, findings: Findings) => number;

/** The outcome of one branch of a schema for a value. */
interface Outcome {
  readonly findings: Findings;
  readonly count: number;
}

/** Checks a value by `anyOf`, `oneOf`, `allOf` and `not`, and returns how many checks there were. */
export function checkBranches(checked: Checked, findings: Findings, check: Check): number {
  const { schema } = checked;
  if (!hasBranches(schema)) return 0;
  const tryBranch = (branch: StructuralSchema): Outcome => {
    const found: Findings = { base: findings.base, errors: [], matches: findings.matches };
    const count = check({ ...checked, schema: branch }, found);
    return { findings: found, count };
  };
  return (
    checkAny(checked, findings, tryBranch) +
    checkOne(checked, findings, tryBranch) +
    checkEvery(checked, findings, tryBranch) +
    checkNot(checked, findings, tryBranch)
  );
}

function hasBranches({ anyOf, oneOf, allOf, not }: StructuralSchema): boolean {
  return anyOf.length > 0 || oneOf.length > 0 || allOf.length > 0 || not !== undefined;
}

type TryBranch = (branch: StructuralSchema) => Outcome;

function checkAny(checked: Checked, findings: Findings, tryBranch: TryBranch): number {
  const { anyOf } = checked.schema;
  if (anyOf.length === 0) return 0;
  const outcomes: Outcome[] = [];
  for (const branch of anyOf) {
    const outcome = tryBranch(branch);
    if (isValid(outcome)) return outcome.count;
    outcomes.push(outcome);
  }
  report(checked, findings, "must validate at least one schema (anyOf)");
  return take(bestOf(outcomes), findings);
}

function checkOne(checked: Checked, findings: Findings, tryBranch: TryBranch): number {
  const { oneOf } = checked.schema;
  if (oneOf.length === 0) return 0;
  const outcomes = oneOf.map(tryBranch);
  const valid = outcomes.filter(isValid);
  const [only] = valid;
  if (only !== undefined && valid.length === 1) return only.count;
  const found = only === undefined ? "Found none valid" : `Found ${valid.length} valid alternatives`;
  report(checked, findings, `must validate one and only one schema (oneOf). ${found}`);
  return only === undefined ? take(bestOf(outcomes), findings) : 0;
}

/** Returns the outcome with most checks, the first of several. */
function bestOf(outcomes: readonly Outcome[]): Outcome | undefined {
  let best: Outcome | undefined;
  for (const outcome of outcomes) if (best === undefined || outcome.count > best.count) best = outcome;
  return best;
}

function checkEvery(checked: Checked, findings: Findings, tryBranch: TryBranch): number {
  const { allOf } = checked.schema;
  let count = 0;
  let valid = 0;
  for (const branch of allOf) {
    const outcome = tryBranch(branch);
    if (isValid(outcome)) valid += 1;
    count += take(outcome, findings);
  }
  const none = valid === 0 ? ". None validated" : "";
  if (valid < allOf.length) report(checked, findings, `must validate all the schemas (allOf)${none}`);
  return count;
}

function checkNot(checked: Checked, findings: Findings, tryBranch: TryBranch): number {
  const { not } = checked.schema;
  if (not !== undefined && isValid(tryBranch(not)))
    report(checked, findings, "must not validate the schema (not)");
  return 0;
}

function isValid({ findings }: Outcome): boolean {
  return findings.errors.length === 0;
}

/** Adds the errors of a branch to the findings and returns its count. */
function take(outcome: Outcome | undefined, findings: Findings): number {
  for (const error of outcome?.findings.errors ?? []) findings.errors.push(error);
  return outcome?.count ?? 0;
}

function report({ path }: Checked, { base, errors }: Findings, detail: string): void {
  errors.push(invalid(base ?? "<nil>", "", `${JSON.stringify(path)} ${detail}`));
}
