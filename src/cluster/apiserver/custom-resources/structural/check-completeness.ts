import { type FieldError, required } from "../../../../api/field-error.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** Two schemas of one value: where it is defined, and a branch that restricts it. */
interface Pair {
  readonly branch: StructuralSchema;
  readonly branchPath: string;
  readonly schema: StructuralSchema | undefined;
  readonly path: string;
}

/** Reports fields and items that the branches of the root restrict and that are not defined outside of branches. */
export function checkCompleteness(schema: StructuralSchema, path: string, errors: FieldError[]): void {
  checkBranches({ branch: schema, branchPath: path, schema, path }, errors);
}

function checkBranches(pair: Pair, errors: FieldError[]): void {
  const { branch, branchPath } = pair;
  if (branch.not !== undefined)
    checkBranch({ ...pair, branch: branch.not, branchPath: `${branchPath}.not` }, errors);
  for (const keyword of ["allOf", "anyOf", "oneOf"] as const)
    for (const [index, each] of branch[keyword].entries())
      checkBranch({ ...pair, branch: each, branchPath: `${branchPath}.${keyword}[${index}]` }, errors);
}

function checkBranch(pair: Pair, errors: FieldError[]): void {
  const { branch, branchPath, schema, path } = pair;
  if (schema === undefined) {
    errors.push(required(path, `because it is defined in ${branchPath}`));
    return;
  }
  checkBranches(pair, errors);
  if (branch.items !== undefined) {
    const inner = { branch: branch.items, branchPath: `${branchPath}.items` };
    checkBranch({ ...inner, schema: schema.items, path: `${path}.items` }, errors);
  }
  for (const [name, property] of branch.properties) {
    const step = `properties[${name}]`;
    const inner = { branch: property, branchPath: `${branchPath}.${step}` };
    checkBranch({ ...inner, schema: schema.properties.get(name), path: `${path}.${step}` }, errors);
  }
}
